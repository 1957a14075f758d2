import type { Engine } from "../db/engine.ts";
import { openDatabase } from "../db/open.ts";
import { instantChecker } from "./checking.ts";

/** What one node did: ms of its CPU, its transactions and how often they were tried. */
export interface NodeReport {
  readonly steps: number;
  readonly cpu: number;
  readonly transactions: number;
  readonly tries: number;
}

/** A node in a process of its own, which does all due steps whenever its parent tells it to. */
const db = await openDatabase(process.argv[2]!);
let transactions = 0;
let tries = 0;
const counted: Engine = {
  ...db,
  tx(work, ...how) {
    transactions += 1;
    return db.tx(
      (tx) => {
        tries += 1;
        return work(tx);
      },
      ...how,
    );
  },
};
const checker = instantChecker(counted);

process.on("message", async () => {
  transactions = tries = 0;
  const from = process.cpuUsage();
  const steps = await checker.drain();
  const { user, system } = process.cpuUsage(from);
  process.send!({ steps, cpu: (user + system) / 1000, transactions, tries } satisfies NodeReport);
});
process.on("disconnect", () => process.exit());
process.send!("ready");
