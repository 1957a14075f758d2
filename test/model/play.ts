import { playModel } from "./model.ts";

/**
 * `tsx test/model/play.ts COMMANDS [SEED] [--no-shrink]`: exit code 1 and the smallest counter-example when a law
 * breaks.
 */
const [commands = "2000", seed = "1", shrink] = process.argv.slice(2);
const start = Date.now();
const played = await playModel({ commands: Number(commands), seed: Number(seed), shrink: shrink !== "--no-shrink" });
process.stdout.write(`${played} commands, seed ${seed}, ${Math.round((Date.now() - start) / 1000)} s\n`);
