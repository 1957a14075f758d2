import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { type ChaosAccount, openAccount } from "../support/nodes/account.ts";
import { type RunningService, serviceOver } from "../support/nodes/in-process-service.ts";
import { checkInvariants } from "../support/nodes/invariants.ts";
import { type PostgresProxy, startPostgresProxy } from "../support/nodes/postgres-proxy.ts";
import type { Submission } from "../support/nodes/submitter.ts";
import { waitUntilDrained } from "../support/nodes/wait-until-drained.ts";

const LEASE_MS = 1_000;
const URLS = 5;
let server: PostgresServer;
let proxy: PostgresProxy;
let db: Engine;
let service: RunningService;
let account: ChaosAccount;
const wanted: Submission[] = [];
const since = Date.now();

beforeAll(async () => {
  server = await startPostgres({ durable: true });
  const url = await server.create("beckon");
  proxy = await startPostgresProxy(server.port);
  db = await openDatabase(url);
  account = await openAccount(db, 10_000);
  service = await serviceOver(proxy.through(url), LEASE_MS);
});
afterAll(async () => {
  await service.stop();
  await db.close();
  await proxy.close();
  await server.stop();
});

const submit = (name: string) => {
  const urls = Array.from({ length: URLS }, (_, i) => `https://example.com/${name}/${i}`);
  return service.ask("POST", "/projects", account.keys[0]!, { name, body: { urls, name } });
};

/** Submits until it is answered, and remembers the answer for the laws at the end. */
async function submitted(name: string) {
  const made: Submission = { name, accountId: account.id, urls: URLS };
  wanted.push(made);
  let answer = await submit(name);
  await expect
    .poll(
      async () => {
        if (answer.status !== 201) answer = await submit(name);
        return answer.status;
      },
      { timeout: 30_000, interval: 300 },
    )
    .toBe(201);
  made.answer = answer.text;
  return answer;
}

/** Over a connection of its own, straight to the server. */
async function direct<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url("beckon") });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Holds the account's row, so that a submission stands still in the middle of its transaction, and then does `work`. */
async function inTheMiddle(name: string, work: (blocked: number) => Promise<unknown>) {
  return direct(async (holder) => {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [account.id]);
    const answer = submit(name);
    const blocked = async () => {
      const { rows } = await direct((client) =>
        client.query(
          "SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() <> pid AND cardinality(pg_blocking_pids(pid)) > 0",
        ),
      );
      return (rows[0] as { pid: number } | undefined)?.pid ?? 0;
    };
    await expect.poll(blocked, { interval: 50 }).toBeGreaterThan(0);
    await work(await blocked());
    await holder.query("ROLLBACK").catch(() => undefined);
    return answer;
  });
}

test("503: a submission whose connection the server closes; its repetition submits once", async () => {
  const answer = await inTheMiddle("terminated", (pid) =>
    direct((client) => client.query("SELECT pg_terminate_backend($1)", [pid])),
  );
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  await submitted("terminated");
});

test("503: a server that dies in the middle of a transaction; the repetition submits once", async () => {
  const answer = await inTheMiddle("killed", async () => {
    await server.halt("immediate");
    await server.restart();
  });
  expect(answer.status).toBe(503);
  await submitted("killed");
});

for (const when of ["before", "after"] as const) {
  test(`a commit whose connection breaks ${when} the server hears of it: the key tells what became of it, and it is spent once`, async () => {
    const lost = proxy.loseCommit("insert_links", when);
    const answer = await submit(`commit ${when}`);
    await lost;
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([503, "unavailable"]);
    expect(answer.text).toContain("may or may not have been carried out");
    const again = await submitted(`commit ${when}`);
    expect(again.headers.get("idempotent-replayed") === "true").toBe(when === "after");
  });
}

test("an idempotency key that could not be released, or whose commit was lost, is free again soon", async () => {
  const lost = proxy.loseCommit("idempotency", "after");
  expect((await submit("held")).status).toBe(503);
  await lost;
  await submitted("held");
});

test("whichever commit of the checker is lost, it recovers by itself and does nothing twice", async () => {
  const said = ["claim_steps", '"intent_at"', 'insert into "deliveries"', 'insert into "observations"'];
  for (const what of said) {
    for (const when of ["before", "after"] as const) {
      const lost = proxy.loseCommit(what, when);
      await submitted(`${what} ${when}`.replaceAll(/\W+/g, "-"));
      await lost;
    }
  }
});

test("while the server is down every request is answered 503 at once; afterwards the service recovers by itself", async () => {
  await submitted("before it was away");
  await server.halt("immediate");
  const [key] = account.keys;
  const answers = await Promise.all([
    submit("while it was away"),
    ...["/account", "/projects", "/ledger"].map((path) => service.ask("GET", path, key!)),
    ...Array.from({ length: 20 }, () => service.ask("GET", "/projects", key!)),
  ]);
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(12_000);
  expect(answers[0]!.text).not.toContain(String(server.port));
  await server.restart();
  await submitted("while it was away");
});

test("afterwards the audit is clean, every link was processed once, and no connection has leaked", async () => {
  const problems: string[] = [];
  await waitUntilDrained(db, problems);
  expect([...problems, ...(await checkInvariants(db, { accounts: [account], wanted, since })).problems]).toEqual([]);
  // The thread for large calls has connections of its own.
  await expect.poll(() => proxy.open).toBeLessThanOrEqual(20);
  const { poolTotal, poolWaiting } = service.instance.db.stats!();
  expect([poolTotal <= 10, poolWaiting]).toEqual([true, 0]);
});
