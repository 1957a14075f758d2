import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { SendMessageResponse, Task } from "../../a2a/wire.ts";
import type { Engine } from "../../db/engine.ts";
import { audit } from "../../src/domain/audit/audit.ts";
import { keysOf } from "../../src/domain/credentials/keys.ts";
import { approvalsOf, decideApproval } from "../../src/domain/spending/approvals.ts";
import { setLimits } from "../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../src/domain/spending/limits.ts";
import { taskIn } from "../support/a2a/test-agent.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { testKillable } from "../support/kills/test-killable.ts";
import { eventually, eventuallyServed } from "../support/service/eventually.ts";

/** Each process dies after so many tasks went on after their yes, and so many ms; the first before any can. */
const KILLS = sampleOf(
  [
    { done: 0, ms: 0 },
    { done: 1, ms: 0 },
    { done: 2, ms: 3 },
  ],
  2,
);

/** Calls that wait for a person at each kill. */
const CALLS = 4;

const { service, db } = await testKillable();
const key = await service.account("approvals");

test(`law: ${KILLS.length} kills between the yes of a person and the end of the call lose no call, and make none twice`, {
  timeout: 200_000,
}, async () => {
  const accountId = await limitKey(db);
  const asked: { readonly id: string; readonly name: string }[] = [];
  for (const [kill, { done, ms }] of KILLS.entries()) {
    const before = (await projectNames()).length;
    const hasCome = await service.live(async ({ address }) => {
      for (let n = 0; n < CALLS; n++) asked.push(await ask(address, `${kill}.${n}`));
      const isReached = async () => (await projectNames()).length >= before + done;
      return { work: approveAll(accountId), isReached: async (isOver) => isOver && (await isReached()), ms: () => ms };
    });
    expect(hasCome).toBe(true);
    await endLeases(db);
  }

  const { address, stop } = await service.start();
  await eventually(async () => expect(await projectNames()).toHaveLength(asked.length));
  for (const { id } of asked)
    await eventuallyServed(async () => expect(await stateOf(address, id)).toBe("TASK_STATE_COMPLETED"));
  await stop();
  expect((await projectNames()).sort()).toEqual(asked.map(({ name }) => name).sort());
  expect((await approvalsOf(db, accountId, 100)).map(({ status }) => status)).toEqual(asked.map(() => "used"));
  expect((await audit(db)).problems).toEqual([]);
});

/** From now on each call with the key needs an approval. @returns the id of the account */
async function limitKey(db: Engine): Promise<string> {
  const [{ id: accountId } = { id: "" }] = await db.q.select().from(db.t.accounts);
  const [{ id: holder } = { id: "" }] = await keysOf(db, accountId);
  await db.tx((tx) => setLimits(tx, { accountId, holder }, { ...NO_LIMITS, approveAbove: 1 }));
  return accountId;
}

/** Asks for a submission that a person has to approve. */
async function ask(address: string, name: string): Promise<{ id: string; name: string }> {
  const urls = [`https://example.com/${name}/a`, `https://example.com/${name}/b`];
  const parts = [{ data: { skill: "submit_urls", input: { urls, name } } }];
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts };
  const configuration = { returnImmediately: true };
  const task = taskIn(await rpc<SendMessageResponse>(address, "SendMessage", { message, configuration }));
  expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  return { id: task.id, name };
}

async function stateOf(address: string, id: string): Promise<string> {
  return (await rpc<Task>(address, "GetTask", { id })).status.state;
}

async function rpc<Result>(address: string, method: string, params: object): Promise<Result> {
  const response = await fetch(`${address}/a2a`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: Result; error?: object };
  if (!result) throw new Error(JSON.stringify(error));
  return result;
}

async function approveAll(accountId: string): Promise<void> {
  const now = Date.now();
  for (const { id, status } of await approvalsOf(db, accountId, CALLS))
    if (status === "open")
      expect(await db.tx((tx) => decideApproval(tx, accountId, { id, isApproved: true, now }))).toBe("decided");
}

async function projectNames(): Promise<string[]> {
  return (await db.q.select({ name: db.t.projects.name }).from(db.t.projects)).map(({ name }) => name);
}
