import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../db/open.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { createKey } from "../../src/domain/accounts/keys.ts";
import { post } from "../../src/domain/ledger/ledger.ts";
import { createProject } from "../../src/domain/projects/create.ts";
import { DAY } from "../../src/platform/clock.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { pageUrl } from "../support.ts";

/** An account with a key, and its project of 100 links. */
interface Caller {
  readonly key: string;
  readonly project: string;
}

export interface Served {
  readonly process: ChildProcess;
  readonly address: string;
  readonly callers: readonly Caller[];
}

const LINKS = 100;

/**
 * Fills a database, and starts the service on it as `npm start` does: the built program, with checker, metrics and counts.
 * @param size how many accounts there are, each with a project of 100 links whose first check is done, and how many projects
 * of one link each has besides
 */
export async function startServed(url: string, size: { accounts: number; moreProjects: number }): Promise<Served> {
  const callers = await fill(url, size);
  const server = fork(join(packageRoot, "dist/src/main.js"), ["serve", "--json"], {
    execArgv: ["--import", new URL("../report-cpu.mjs", import.meta.url).href],
    env: { ...process.env, PORT: "0", DATABASE_URL: url, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
  const { address } = JSON.parse((await lines.next()).value) as { address: string };
  await settled(url);
  return { process: server, address, callers };
}

async function fill(url: string, { accounts, moreProjects }: { accounts: number; moreProjects: number }) {
  const db = await openDatabase(url);
  const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
  const now = Date.now();
  const times = { now, service: now - 5 * DAY };
  const callers: Caller[] = [];
  for (let index = 0; index < accounts; index++) {
    const caller = await db.tx(async (tx) => {
      const { id: accountId } = await createAccount(tx, { email: `bench-${index}@example.com`, now });
      const credits = LINKS + moreProjects;
      await post(tx, { accountId, kind: "adjustment", credits, source: "bench", description: "", now });
      for (let page = 0; page < moreProjects; page++)
        await createProject(tx, { ...draft, accountId, urls: [pageUrl(LINKS + page)], ...times, name: `Page ${page}` });
      const urls = Array.from({ length: LINKS }, (_, link) => pageUrl(link));
      const { project } = await createProject(tx, { ...draft, accountId, urls, ...times, name: "All of a site" });
      return { key: await createKey(tx, { accountId, name: "bench", mode: "sandbox", now }), project: project.id };
    });
    callers.push(caller);
  }
  await db.close();
  return callers;
}

/** Waits until the checker has done what was due. */
async function settled(url: string): Promise<void> {
  const db = await openDatabase(url);
  for (;;) {
    const steps = await db.q.select({ dueAt: db.t.steps.dueAt }).from(db.t.steps);
    if (steps.every(({ dueAt }) => dueAt > Date.now())) break;
    await sleep(500);
  }
  await db.close();
}
