import { runApprovalModel } from "./approvals.ts";
import { runMemberModel } from "./members.ts";
import { runModel } from "./model.ts";
import { runPaymentModel } from "./payments.ts";
import { runWatchModel } from "./watches.ts";

/**
 * `tsx test/model/run-model.ts COMMANDS [SEED] [--only work|payments|approvals|watches|members] [--no-shrink]`: runs about so many commands of each
 * model. If a law breaks, it prints the smallest counter-example and exits with code 1.
 */
const words = process.argv.slice(2);
const [commands = "2000", seed = "1"] = words.filter((word) => /^\d+$/.test(word));
const only = words[words.indexOf("--only") + 1];
const options = { seed: Number(seed), shrink: !words.includes("--no-shrink") };
const start = Date.now();
const say = (text: string) => {
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stdout.write(`${text}, seed ${seed}, ${seconds} s\n`);
};

const plays = (name: string) => !words.includes("--only") || only === name;

if (plays("work")) say(`${await runModel({ ...options, commands: Number(commands) })} commands of work`);
if (plays("approvals"))
  say(`${await runApprovalModel({ ...options, histories: Math.ceil(Number(commands) / 20) })} histories of approvals`);
if (plays("watches"))
  say(`${await runWatchModel({ ...options, histories: Math.ceil(Number(commands) / 20) })} histories of watches`);
if (plays("members"))
  say(`${await runMemberModel({ ...options, histories: Math.ceil(Number(commands) / 20) })} histories of members`);
if (plays("payments")) {
  const counts = await runPaymentModel({ ...options, histories: Math.ceil(Number(commands) / 10) });
  for (const [name, count] of Object.entries(counts).sort())
    process.stdout.write(`${String(count).padStart(8)} ${name}\n`);
  say(`${counts.histories} histories of payments`);
}
