import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { createKey, revokeKeysOf } from "../../src/domain/credentials/keys.ts";
import { post } from "../../src/domain/ledger/ledger.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { operations } from "../../tools/index.ts";
import { withCheckedAccounts } from "../support/database/affected-accounts.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";

/** How many times a credential was looked up: an answer from memory needs none. */
let lookups = 0;
const engine = (db: Engine, url: string): Engine => ({
  ...withCheckedAccounts(db, url),
  keyOf: (hash) => {
    lookups++;
    return db.keyOf(hash);
  },
});
const service = await testService({ engine });
const { request, clock, db } = service;
const isSqlite = db.dialect === "sqlite";
const other = await openDatabase(service.database, { durable: false });
const { checker, troubles } = testChecker(service);
afterAll(async () => {
  await other.close();
  await service.close();
});

interface Owner {
  readonly id: string;
  key: string;
  readonly projects: string[];
}

async function owner(): Promise<Owner> {
  return { ...(await service.account({ credits: 5_000 })), projects: [] };
}

async function submit({ key, projects }: Owner) {
  const body = { urls: ["https://example.com/a", "https://example.com/b", "https://example.com/c"] };
  const { json } = await request("POST", "/projects", { key, body });
  projects.push(json.project.id);
}

function pathsOf({ projects }: Owner): string[] {
  const paths = ["/account", "/pricing", "/projects", "/orders", "/ledger"];
  const project = projects.at(-1);
  if (!project) return paths;
  const own = `/projects/${project}`;
  return [...paths, own, `${own}/links`, `${own}/links/lnk_${project.slice(4)}_1`, `${own}/report`];
}

/** All of an answer but its time, the limits, and the count of today's requests, which may have another length. */
const partsOf = ({ status, headers, text }: Awaited<ReturnType<typeof request>>) => ({
  status,
  names: [...headers].filter(([name]) => !/^(date|content-length|ratelimit-(remaining|reset))$/.test(name)),
  text: text.replace(/"requests":\d+/, ""),
});

/** Reads as who polls does, from memory where it can; and by the pipeline, which alone reads a scheme in small letters. */
async function compare(path: string, key: string) {
  clock.pass(MINUTE, 0);
  const polled = await request("GET", path, { key });
  const whole = await request("GET", path, { headers: { Authorization: `bearer ${key}` } });
  if (polled.status === 200) expect(partsOf(polled), path).toEqual(partsOf(whole));
  else expect([polled.status, whole.status]).toEqual([401, 401]);
}

const renameBy = async (by: Engine, project: string, name: string) =>
  by.tx((tx) => tx.q.update(tx.t.projects).set({ name }).where(eq(tx.t.projects.id, project)));

/** What may happen to an account; each leaves it able to go on. */
const ACTIONS = {
  submit,
  async cancel({ key, projects }: Owner) {
    const project = projects.at(-1);
    if (project) await request("POST", `/projects/${project}/cancel`, { key, body: { link_ids: [] } });
  },
  async check() {
    const due = await checker.nextDue();
    if (due === null) return;
    clock.pass(Math.max(0, due - clock.service()));
    await checker.drain();
    expect(troubles).toEqual([]);
  },
  async credit({ id }: Owner) {
    const entry = {
      accountId: id,
      kind: "adjustment",
      credits: 7,
      source: String(clock.now()),
      description: "",
    } as const;
    await db.tx((tx) => post(tx, { ...entry, now: clock.now() }), { affectedAccounts: [id] });
  },
  async rename({ projects }: Owner) {
    const project = projects.at(-1);
    if (project) await renameBy(db, project, `here ${clock.now()}`);
  },
  async renameElsewhere({ projects }: Owner) {
    const project = projects.at(-1);
    if (project) await renameBy(other, project, `elsewhere ${clock.now()}`);
  },
  async replaceKey(one: Owner) {
    const revoked = one.key;
    const { id } = one;
    await db.tx(
      async (tx) => {
        await revokeKeysOf(tx, id, { now: clock.now() });
        one.key = await createKey(tx, { accountId: id, name: "next", mode: "sandbox", now: clock.now() });
      },
      { affectedAccounts: [id] },
    );
    expect((await request("GET", "/account", { key: revoked })).status).toBe(401);
  },
  async nothing() {},
} satisfies Record<string, (one: Owner) => Promise<unknown>>;

const steps = fc.array(
  fc.record({
    who: fc.nat(2),
    action: fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])),
    reader: fc.nat(2),
    path: fc.nat(7),
  }),
  { minLength: 10, maxLength: 40 },
);

test("after any mix of what happens to several accounts, an answer from memory is that of the pipeline", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const owners = [await owner(), await owner(), await owner()];
      for (const { who, action, reader, path } of all) {
        await ACTIONS[action](owners[who]!);
        const { key } = owners[reader]!;
        const paths = pathsOf(owners[reader]!);
        await compare(paths[path % paths.length]!, key);
      }
      for (const one of owners) for (const path of pathsOf(one)) await compare(path, one.key);
    }),
    { numRuns: isSqlite ? 10 : 3 },
  );
});

test("an answer stays in memory while another account submits, is checked and is credited", async () => {
  // What it submits is checked as well, so it has not.
  const [polling, busy] = [await owner(), await owner()];
  for (const path of pathsOf(polling)) await request("GET", path, { key: polling.key });
  clock.pass(MINUTE, 0);
  await submit(busy);
  await ACTIONS.credit(busy);
  await ACTIONS.check();
  const before = lookups;
  await request("GET", "/projects", { key: busy.key });
  expect(lookups).toBe(before + 1);
  for (const path of ["/account", "/pricing", "/ledger"]) await request("GET", path, { key: polling.key });
  expect(lookups - before - 1).toBe(isSqlite ? 0 : 3);
});

test("the operations whose answers may come from memory are those that are compared here", () => {
  const cacheable = operations.filter(({ isCacheable }) => isCacheable).map(({ rest }) => rest.path);
  const compared = ["/account", "/ledger", "/orders", "/pricing", "/projects", "/projects/{project_id}"];
  const ofProject = ["links", "links/{link_id}", "report"].map((path) => `/projects/{project_id}/${path}`);
  expect(cacheable.sort()).toEqual([...compared, ...ofProject]);
});
