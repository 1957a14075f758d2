import { statSync } from "node:fs";
import { join } from "node:path";
import { moveDatabase } from "../db/move.ts";
import { openDatabase } from "../db/open.ts";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY } from "../src/platform/clock.ts";
import { FastLife } from "./fast-life.ts";
import { withPostgres } from "./server.ts";
import { payingAccounts, storeProject } from "./submitters.ts";
import { costOf, inFolder, pageUrl, round } from "./support.ts";

const PER_PROJECT = 5_000;

/**
 * Duration of `beckon move` for a file with so many links: all are sent, and half of them have their last verdict. The audit
 * is measured alone too, since the operator waits for it.
 */
export function benchMove(links: number) {
  return withPostgres((server) =>
    inFolder(async (folder) => {
      const from = join(folder, "beckon.db");
      await fill(from, links);
      const proof = { wall: 0 };
      const to = await server.create("target");
      const { wall, cpu } = await costOf(() =>
        moveDatabase({
          from,
          to,
          progress() {},
          prove: async (arrived) => {
            const { wall: ms } = await costOf(async () => {
              const { ok, problems } = await audit(arrived);
              if (!ok) throw new Error(problems.join("\n"));
            });
            proof.wall += ms;
          },
        }),
      );
      return {
        links,
        megabytes: Math.round(statSync(from).size / 1e6),
        seconds: round(wall / 1000),
        nodeCpuSeconds: round(cpu / 1000),
        auditSeconds: round(proof.wall / 1000),
        linksPerSecond: Math.round(links / (wall / 1000)),
      };
    }),
  );
}

async function fill(file: string, links: number): Promise<void> {
  const db = await openDatabase(`file:${file}`);
  const accounts = await payingAccounts(db, links / PER_PROJECT);
  const fast = new FastLife(db);
  for (const [number, account] of accounts.entries()) {
    const urls = Array.from({ length: PER_PROJECT }, (_, i) => pageUrl(number * PER_PROJECT + i));
    if (number === Math.floor(accounts.length / 2)) await fast.until(fast.time + 20 * DAY);
    await storeProject(db, account, urls, fast.time);
  }
  await fast.until(fast.time + DAY);
  await db.close();
}
