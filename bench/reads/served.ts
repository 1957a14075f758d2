import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../db/open.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { createKey } from "../../src/domain/credentials/keys.ts";
import { post } from "../../src/domain/ledger/ledger.ts";
import { createProject } from "../../src/domain/projects/create.ts";
import { DAY } from "../../src/platform/clock.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { packUrls } from "../../src/platform/urls/packed-urls.ts";
import { askProcess } from "../calls.ts";
import { pageUrl } from "../support.ts";

/** A key of an account, and the account's project. */
interface Caller {
  readonly key: string;
  readonly project: string;
}

export interface Served {
  readonly process: ChildProcess;
  readonly address: string;
  readonly callers: readonly Caller[];
}

/** How much a database is filled with. */
interface Size {
  /** Each has a project whose first check is done. */
  readonly accounts: number;
  /** Of each account, each a caller of its own; default: 1. */
  readonly keys?: number;
  /** How many projects of one link each account has besides. */
  readonly moreProjects: number;
  /** Links of the project; default: 100. */
  readonly links?: number;
}

/**
 * Fills a database, and starts the service on it as `npm start` does: the built program, with checker, metrics and counts.
 */
export async function startServed(url: string, size: Size): Promise<Served> {
  const callers = await fill(url, size);
  const server = fork(join(packageRoot, "dist/src/main.js"), ["serve", "--json"], {
    execArgv: ["--import", new URL("../report-cpu.mjs", import.meta.url).href],
    env: { ...process.env, PORT: "0", DATABASE_URL: url, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
  const { address } = JSON.parse((await lines.next()).value) as { address: string };
  await settled(url);
  await idle(server);
  return { process: server, address, callers };
}

async function fill(url: string, { accounts, keys = 1, moreProjects, links = 100 }: Size) {
  const db = await openDatabase(url);
  const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
  const now = Date.now();
  const times = { now, service: now - 5 * DAY };
  const callers: Caller[] = [];
  for (let index = 0; index < accounts; index++) {
    const made = await db.tx(async (tx) => {
      const { id: accountId } = await createAccount(tx, { email: `bench-${index}@example.com`, now });
      const credits = links + moreProjects;
      await post(tx, { accountId, kind: "adjustment", credits, source: "bench", description: "", now });
      for (let page = 0; page < moreProjects; page++)
        await createProject(tx, {
          ...draft,
          accountId,
          urls: packUrls([pageUrl(links + page)]),
          ...times,
          name: `Page ${page}`,
        });
      const urls = Array.from({ length: links }, (_, link) => pageUrl(link));
      const { project } = await createProject(tx, {
        ...draft,
        accountId,
        urls: packUrls(urls),
        ...times,
        name: "All of a site",
      });
      const secrets: string[] = [];
      while (secrets.length < keys)
        secrets.push(await createKey(tx, { accountId, name: "bench", mode: "sandbox", now }));
      return secrets.map((key) => ({ key, project: project.id }));
    });
    callers.push(...made);
  }
  await db.close();
  return callers;
}

/** Waits until the process does nothing of its own any more: it prepares documents after its start. */
async function idle(server: ChildProcess): Promise<void> {
  for (;;) {
    await askProcess(server, "reset");
    await sleep(2_000);
    if ((await askProcess(server, "read")).cpuUs < 100_000) return;
  }
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
