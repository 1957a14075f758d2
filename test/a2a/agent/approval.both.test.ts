import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../../../src/domain/audit/audit.ts";
import { createKey, keysOf, revokeKey } from "../../../src/domain/credentials/keys.ts";
import { balanceOf, post } from "../../../src/domain/ledger/ledger.ts";
import { approvalOf, approvalsOf, MAX_OPEN } from "../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../src/domain/spending/limits.ts";
import { DAY, HOUR, MINUTE } from "../../../src/platform/clock.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { decideNewest, limitKey, testResumer } from "../../support/a2a/approvals.ts";
import { codeOf, resultOf, statusData, TestAgent, taskIn } from "../../support/a2a/test-agent.ts";
import { urlset } from "../../support/network/sitemap-server.ts";
import { eventually } from "../../support/service/eventually.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
const { db, clock } = service;
const agent = new TestAgent(service);
const resumer = testResumer(service);
afterAll(async () => {
  expect([resumer.errors, agent.errors, service.errors]).toEqual([[], [], []]);
  expect((await audit(db)).problems).toEqual([]);
  await resumer.close();
  await service.close();
});

let account: { id: string; key: string };
beforeEach(async () => {
  clock.pass(MINUTE);
  account = await service.account();
  await limitKey(service, account.id, { approveAbove: 1 });
});

const urlsOf = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);
const submit = (input: object = {}, skill = "submit_urls") => ({
  data: { skill, input: { urls: urlsOf(2), ...input } },
});
const ask = (input: object = {}) => agent.send(account.key, submit(input));
const read = (id: string) => agent.task(account.key, id);
const decide = (isApproved = true) => decideNewest(service, account.id, isApproved);
const spent = async () => 150 - (await balanceOf(db, account.id));
const approvals = () => approvalsOf(db, account.id, 100);

describe("a call that a person has to approve", () => {
  test("law: waits as input_required with the address for the person, and after the yes is made by itself, once", async () => {
    const asked = await ask();
    const [approval] = await approvals();
    expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const url = `${service.config.siteUrl}/dashboard/approvals/${approval!.id}`;
    expect(asked.status.message?.parts[0]?.text).toContain(url);
    const expires_at = new Date(approval!.expiresAt).toISOString();
    expect(statusData(asked).error).toMatchObject({
      code: "approval_required",
      needed: 2,
      approval_url: url,
      expires_at,
      message: expect.stringContaining("once it is approved, this task continues by itself"),
    });
    await resumer.resume();
    expect((await read(asked.id)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await decide();
    await resumer.resume();
    const done = await read(asked.id);
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    expect(resultOf(done)).toMatchObject({ credits_spent: 2 });
    expect(done.history?.map(({ role }) => role)).toEqual(["ROLE_USER", "ROLE_AGENT"]);
    await resumer.resume();
    expect(await spent()).toBe(2);
    expect(await approvals()).toMatchObject([
      { status: "used", credits: 2, projectId: expect.stringMatching(/^prj_/) },
    ]);
  });

  test("law: a sitemap waits, too, and what was read of it is what is approved", async () => {
    const sitemap = service.site.serve(`/${randomUUID()}.xml`, urlset(urlsOf(3)));
    const asked = await agent.send(account.key, { data: { skill: "submit_sitemap", input: { sitemap_url: sitemap } } });
    expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await decide();
    await resumer.resume();
    expect((await read(asked.id)).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await spent()).toBe(3);
  });

  test.each([
    ["costs more", 4, urlsOf(4)],
    ["has other URLs for the same credits", 3, urlsOf(4).slice(1)],
  ])("law: a list that %s by the time of the yes: the task waits for another approval", async (_what, cost, list) => {
    const path = `/${randomUUID()}.xml`;
    const sitemap = service.site.serve(path, urlset(urlsOf(3)));
    const asked = await agent.send(account.key, { data: { skill: "submit_sitemap", input: { sitemap_url: sitemap } } });
    await decide();
    service.site.serve(path, urlset(list));
    clock.pass(1);
    await resumer.resume();
    const again = await read(asked.id);
    expect(again.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(statusData(again).error).toMatchObject({ code: "approval_required", needed: cost });
    expect((await approvals()).map(({ status }) => status)).toEqual(["open", "approved"]);
    await decide();
    await resumer.resume();
    expect((await read(asked.id)).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await spent()).toBe(cost);
  });

  test("law: a question that the same call has replaced is asked by its task anew, and the task goes on after that yes", async () => {
    const path = `/${randomUUID()}.xml`;
    const input = { sitemap_url: service.site.serve(path, urlset(urlsOf(3))) };
    const asked = await agent.send(account.key, { data: { skill: "submit_sitemap", input } });
    service.site.serve(path, urlset(urlsOf(5)));
    clock.pass(1);
    const body = { ...input, skip_already_submitted: false };
    const over = await service.request("POST", "/projects/from-sitemap", { key: account.key, body });
    expect(over.json.error).toMatchObject({ code: "approval_required", needed: 5 });
    expect((await approvals()).map(({ status }) => status)).toEqual(["open", "replaced"]);
    await resumer.resume();
    const again = await read(asked.id);
    expect(again.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(statusData(again).error).toMatchObject({ needed: 5, approval_url: over.json.error.approval_url });
    await decide();
    await resumer.resume();
    expect((await read(asked.id)).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await spent()).toBe(5);
  });

  test("law: a task whose credential is revoked ends at once, and its question waits for nobody", async () => {
    const reader = { accountId: account.id, name: "Reader", mode: "sandbox", now: clock.now() } as const;
    const second = await db.tx((tx) => createKey(tx, reader));
    const { id } = await ask();
    const [key] = (await keysOf(db, account.id)).filter(({ name }) => name !== "Reader");
    await db.tx((tx) => revokeKey(tx, key!.id, clock.now()));
    expect(await approvals()).toMatchObject([{ status: "ended" }]);
    expect((await decide()).outcome).toBe("over");
    await resumer.resume();
    const ended = await agent.task(second, id);
    expect(ended.status.state).toBe("TASK_STATE_REJECTED");
    expect(statusData(ended).error).toMatchObject({ message: expect.stringContaining("revoked or has ended") });
    expect(await spent()).toBe(0);
  });

  test.each([
    ["a no", () => decide(false), "refused this call"],
    ["24 hours without a decision", async () => clock.pass(DAY), "not given, or not used, in time"],
  ])("law: after %s the task is rejected, and spends nothing", async (_what, end, why) => {
    const { id } = await ask();
    await end();
    await resumer.resume();
    const rejected = await read(id);
    expect(rejected.status.state).toBe("TASK_STATE_REJECTED");
    expect(statusData(rejected).error).toMatchObject({
      code: "approval_required",
      message: expect.stringContaining(why),
    });
    expect(await spent()).toBe(0);
  });

  test("law: nobody is asked beyond ten questions; the task is rejected", async () => {
    for (let call = 0; call < MAX_OPEN; call++) await ask({ name: `${call}` });
    const refused = await ask({ name: "one more" });
    expect([refused.status.state, codeOf(refused)]).toEqual(["TASK_STATE_REJECTED", "approval_required"]);
  });

  test("law: an input that is too long to be kept is rejected with the address, and can be sent again", async () => {
    const urls = Array.from({ length: 1_000 }, (_, index) => `https://example.com/${index}?${"x".repeat(1_100)}`);
    await db.tx((tx) =>
      post(tx, {
        accountId: account.id,
        kind: "adjustment",
        credits: 1_000,
        source: "t",
        description: "T",
        now: clock.now(),
      }),
    );
    const refused = await ask({ urls });
    expect([refused.status.state, codeOf(refused)]).toEqual(["TASK_STATE_REJECTED", "approval_required"]);
    await decide();
    expect((await ask({ urls })).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("rejected: spending_limit waits for nobody", async () => {
    await limitKey(service, account.id, { approveAbove: 1, perCall: 1 });
    const refused = await ask();
    expect([refused.status.state, codeOf(refused)]).toEqual(["TASK_STATE_REJECTED", "spending_limit"]);
  });
});

describe("messages to a task that waits for an approval", () => {
  test.each([
    ["text", { text: "yes" }],
    ["JSON", { text: '{"approved": true}' }],
    ["data", { data: { decision: "yes", approve: true } }],
  ])("law: a yes in %s approves nothing", async (_kind, message) => {
    const { id } = await ask();
    const after = await agent.send(account.key, { ...message, taskId: id });
    expect(after.status.state).not.toBe("TASK_STATE_COMPLETED");
    await resumer.resume();
    expect(await spent()).toBe(0);
    expect((await approvals()).every(({ status }) => status !== "approved" && status !== "used")).toBe(true);
  });

  test("law: a text leaves it waiting for the same approval, which then lets it go on", async () => {
    const { id } = await ask();
    const after = await agent.send(account.key, { text: "yes, please", taskId: id });
    expect([after.status.state, codeOf(after)]).toEqual(["TASK_STATE_INPUT_REQUIRED", "approval_required"]);
    await decide();
    await resumer.resume();
    expect((await read(id)).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await spent()).toBe(2);
  });

  test("law: another input is another call: the first approval cannot be given any more", async () => {
    const { id } = await ask();
    const [first] = await approvals();
    clock.pass(1);
    const changed = await agent.send(account.key, { data: { urls: urlsOf(3) }, taskId: id });
    expect(statusData(changed).error).toMatchObject({ code: "approval_required", needed: 3 });
    expect((await approvalOf(db, account.id, first!.id))!.status).toBe("withdrawn");
    await decide();
    await resumer.resume();
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_COMPLETED", 3]);
  });

  test("law: a cheaper input goes through at once, and withdraws the question", async () => {
    const { id } = await ask();
    const done = await agent.send(account.key, { data: { urls: urlsOf(1) }, taskId: id });
    expect([done.status.state, await spent()]).toEqual(["TASK_STATE_COMPLETED", 1]);
    expect((await decide()).outcome).toBe("over");
  });

  test("law: the same call in another message is rejected, and names the task that waits", async () => {
    const { id } = await ask();
    const other = await ask();
    expect([other.status.state, codeOf(other)]).toEqual(["TASK_STATE_REJECTED", "approval_required"]);
    expect(other.status.message?.parts[0]?.text).toContain(id);
    await decide();
    await resumer.resume();
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_COMPLETED", 2]);
  });

  test("law: the same call in a message after the yes uses it up, and the task is rejected", async () => {
    const { id } = await ask();
    await decide();
    const again = await ask();
    expect(again.status.state).toBe("TASK_STATE_COMPLETED");
    await resumer.resume();
    const rejected = await read(id);
    expect(rejected.status.state).toBe("TASK_STATE_REJECTED");
    expect(statusData(rejected).error).toMatchObject({ message: expect.stringContaining("used by the same call") });
    expect(await spent()).toBe(2);
  });
});

describe("CancelTask", () => {
  test("law: ends the wait, and the approval can neither be given nor used after", async () => {
    const { id } = await ask();
    expect((await agent.cancel(account.key, id)).status.state).toBe("TASK_STATE_CANCELED");
    expect((await decide()).outcome).toBe("over");
    await resumer.resume();
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_CANCELED", 0]);
  });

  test("law: between the yes and the call it withdraws the yes", async () => {
    const { id } = await ask();
    await decide();
    expect((await agent.cancel(account.key, id)).status.state).toBe("TASK_STATE_CANCELED");
    await resumer.resume();
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_CANCELED", 0]);
    expect((await ask()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(await spent()).toBe(0);
  });

  test("law: while the call is being made, one of the two happens", async () => {
    const { id } = await ask();
    await decide();
    const slow = testResumer(service, (executor) => ({
      async run(raw) {
        await agent.cancel(account.key, id);
        return executor.run(raw);
      },
    }));
    await slow.resume();
    expect([(await read(id)).status.state, await spent(), slow.errors]).toEqual(["TASK_STATE_CANCELED", 0, []]);
    await slow.close();
  });

  test("law: who asks and cancels in turns asks ten questions an hour", async () => {
    const states: string[] = [];
    for (let call = 0; call < MAX_OPEN + 2; call++) {
      const asked = await ask({ name: `${call}` });
      states.push(asked.status.state);
      if (asked.status.state === "TASK_STATE_INPUT_REQUIRED") await agent.cancel(account.key, asked.id);
    }
    expect(states.filter((state) => state === "TASK_STATE_INPUT_REQUIRED")).toHaveLength(MAX_OPEN);
    clock.pass(HOUR);
    expect((await ask()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});

describe("an approved call is made under the credential that asked", () => {
  const otherKey = () =>
    db.tx((tx) => createKey(tx, { accountId: account.id, name: "other", mode: "sandbox", now: clock.now() }));
  const setKey = async (set: object) => {
    const { apiKeys } = db.t;
    await db.tx(async ({ q }) => void (await q.update(apiKeys).set(set).where(eq(apiKeys.accountId, account.id))));
  };

  test.each([
    ["unauthorized", "was revoked", () => setKey({ revokedAt: clock.now() })],
    ["unauthorized", "has ended", () => setKey({ expiresAt: clock.now() })],
    ["insufficient_scope", "has lost its scope", () => setKey({ scopes: "read" })],
    ["spending_limit", "is over a limit", () => limitKey(service, account.id, { approveAbove: 1, total: 1 })],
    [
      "insufficient_credits",
      "has no balance",
      () =>
        db.tx((tx) =>
          post(tx, {
            accountId: account.id,
            kind: "adjustment",
            credits: -149,
            source: "t",
            description: "T",
            now: clock.now(),
          }),
        ),
    ],
  ] as const)("rejected, %s: one that %s by then", async (code, _what, change) => {
    const { id } = await ask();
    await decide();
    await change();
    const before = await balanceOf(db, account.id);
    await resumer.resume();
    const rejected = await agent.task(await otherKey(), id);
    expect([rejected.status.state, codeOf(rejected)]).toEqual(["TASK_STATE_REJECTED", code]);
    expect(await balanceOf(db, account.id)).toBe(before);
  });

  test("law: what kept it back is over: the same call then goes through by the same yes", async () => {
    await ask();
    await decide();
    await limitKey(service, account.id, { approveAbove: 1, total: 1 });
    await resumer.resume();
    await limitKey(service, account.id, { approveAbove: 1 });
    expect((await ask()).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await ask()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(await spent()).toBe(2);
  });

  test("law: another key of the account cannot use the approval", async () => {
    await ask();
    await decide();
    const other = await otherKey();
    const { id: holder } = (await keysOf(db, account.id)).find(({ name }) => name === "other")!;
    await db.tx((tx) => setLimits(tx, { accountId: account.id, holder }, { ...NO_LIMITS, approveAbove: 1 }));
    expect((await agent.send(other, submit())).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(await spent()).toBe(0);
  });

  test("law: a call keeps the idempotency key of its header", async () => {
    const call = { ...(await agent.call(account.key)), idempotencyKey: "mine" };
    const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [submit()] } as const;
    const asked = (await agent.methods.sendMessage({ message }, call)) as { task: { id: string } };
    await decide();
    await resumer.resume();
    expect((await read(asked.task.id)).status.state).toBe("TASK_STATE_COMPLETED");
    const again = await ask({ idempotency_key: "mine" });
    expect(again.artifacts?.[0]?.metadata).toEqual({ "beckon/idempotent-replayed": true });
    expect(await spent()).toBe(2);
  });
});

describe("several processes", () => {
  test("law: two that find the same task at once make its call once", async () => {
    const { id } = await ask();
    await decide();
    const other = testResumer(service);
    await Promise.all([resumer.resume(), other.resume(), resumer.resume(), other.resume()]);
    expect([(await read(id)).status.state, await spent(), other.errors]).toEqual(["TASK_STATE_COMPLETED", 2, []]);
    await other.close();
  });

  test("law: a process that dies in the middle leaves the task to another one, and nothing is done twice", async () => {
    const { id } = await ask();
    await decide();
    const dead = testResumer(service, () => ({ run: () => new Promise<never>(() => undefined) }));
    void dead.resume();
    await eventually(async () => expect((await read(id)).status.state).toBe("TASK_STATE_WORKING"));
    await resumer.resume();
    expect(await spent()).toBe(0);
    clock.pass(5 * MINUTE);
    await resumer.resume();
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_COMPLETED", 2]);
    await dead.close();
  });

  test("law: a call that cannot be made now is made a little later", async () => {
    const { id } = await ask();
    await decide();
    let failures = 2;
    const flaky = testResumer(service, (executor) => ({
      async run(raw) {
        if (failures-- > 0) throw new Refusal("unavailable", "Later.");
        return executor.run(raw);
      },
    }));
    for (let attempt = 0; attempt < 3; attempt++) {
      await flaky.resume();
      clock.pass(5_000);
    }
    expect([(await read(id)).status.state, await spent()]).toEqual(["TASK_STATE_COMPLETED", 2]);
    await flaky.close();
  });
});

describe("who follows the task", () => {
  test("a message's stream ends with the question; a subscriber sees it go on and end", async () => {
    const stream = await agent.stream(account.key, submit());
    const events = await stream.rest();
    const task = taskIn(events[0]!);
    expect(events).toMatchObject([{ task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } }]);
    const subscriber = await agent.subscribe(account.key, task.id);
    await subscriber.next();
    await decide();
    const seen: string[] = [];
    const watching = testResumer(service, (executor) => ({
      async run(raw) {
        const next = subscriber.next();
        await agent.poll();
        const event = await next;
        if (event && "statusUpdate" in event) seen.push(event.statusUpdate.status.state);
        return executor.run(raw);
      },
    }));
    await watching.resume();
    const rest = subscriber.rest();
    await agent.poll();
    expect(seen).toEqual(["TASK_STATE_WORKING"]);
    expect(await rest).toMatchObject([
      { artifactUpdate: { taskId: task.id } },
      { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
    ]);
    await watching.close();
  });
});
