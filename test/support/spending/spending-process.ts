// Spends the budget of a key as fast as it can, in a process of its own that can be killed:
// `node spending-process.js '{"accountId":…,"keyId":…,"seed":…,"endsWhenSpent":…,"slowMs":…}'`, with DATABASE_URL in the
// environment.
// It begins with the first line of its standard input, and writes a line of JSON when it is ready and after each call.
import { writeSync } from "node:fs";
import { openDatabase } from "../../../db/open.ts";
import { slowDatabase } from "../database/slow-database.ts";
import { SeededRandom } from "../nodes/seeded-random.ts";
import { anyCall, callerOf } from "./competing-calls.ts";

const { accountId, keyId, seed, endsWhenSpent, slowMs } = JSON.parse(process.argv[2]!);
const opened = await openDatabase(process.env.DATABASE_URL!);
const random = new SeededRandom(seed);
const db = slowMs === 0 ? opened : slowDatabase(opened, { mostMs: slowMs, random: new SeededRandom(seed + 1) });
const make = callerOf(db, { accountId, keyId });
// What it has not written when it is killed, it has not acknowledged.
const write = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Makes one call after the other, until nothing is left of the budget. */
async function lane(name: string): Promise<void> {
  for (let number = 0; ; number++) {
    const call = anyCall(random, `${seed}-${name}-${number}`);
    const outcome = await make(call);
    write({ ...call, ...outcome });
    if (!endsWhenSpent || !("refused" in outcome) || outcome.refused !== "spending_limit") continue;
    const least = { name: `least-${seed}-${name}-${number}`, credits: 1, hasKey: false };
    const last = await make(least);
    write({ ...least, ...last });
    if ("refused" in last && last.refused === "spending_limit") return;
  }
}

// The end of the process that started it closes its standard input.
process.stdin.on("end", () => process.exit(3));
process.stdin.once("data", async () => {
  await Promise.all([lane("a"), lane("b")]);
  process.exit(0);
});
write({ ready: true });
