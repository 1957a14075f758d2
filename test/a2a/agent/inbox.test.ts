import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { afterAll, describe, expect, test } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { hashInput } from "../../../src/domain/calls/idempotency-keys.ts";
import { MINUTE } from "../../../src/platform/clock.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { codeOf, messageOf, resultOf, statusData, TestAgent } from "../../support/a2a/test-agent.ts";
import { testService } from "../../support/service/service.ts";
import { stateOf } from "../../support/website/account-state.ts";

const service = await testService();
afterAll(() => service.close());
const { db } = service;
const agent = new TestAgent(service);
const elsewhere = new TestAgent(service);

const URLS = ["https://example.com/", "https://example.com/about"];
const submit = { data: { skill: "submit_urls", input: { urls: URLS } } };

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => null,
    (reason) => reason,
  );
  expect(thrown).toBeInstanceOf(Refusal);
  return (thrown as Refusal).code;
}

describe("a call", () => {
  test("COMPLETED: the answer is the artifact, and the message is the history", async () => {
    const { id, key } = await service.account();
    const message = { ...messageOf(submit), contextId: "mine" };
    const task = await agent.send(key, message);
    expect(task.id).toMatch(/^tsk_[0-9a-z]{20}$/);
    expect(task).toMatchObject({
      contextId: "mine",
      status: { state: "TASK_STATE_COMPLETED", timestamp: new Date(service.clock.now()).toISOString() },
    });
    expect(task.artifacts).toMatchObject([{ name: "submit_urls.result", parts: [{ mediaType: "application/json" }] }]);
    expect(resultOf(task)).toMatchObject({ urls_accepted: 2, credits_spent: 2, balance: 148 });
    expect(task.history).toEqual([{ ...message, taskId: task.id }]);
    expect((await stateOf(db, id)).balance).toBe(148);
    expect(await agent.task(key, task.id)).toEqual(task);
  });

  test("a message without a context gets a new context", async () => {
    const { key } = await service.account();
    expect((await agent.send(key, { text: "balance" })).contextId).toMatch(/^ctx_/);
  });

  test("a text command does the same as a data part, and its pages are small", async () => {
    const { key } = await service.account();
    const project = resultOf(await agent.send(key, { text: `submit ${URLS.join(" ")}` })).project as { id: string };
    const many = Array.from({ length: 30 }, (_, n) => `https://example.com/${n}`);
    await agent.send(key, { data: { skill: "submit_urls", input: { urls: many } } });
    expect(resultOf(await agent.send(key, { text: `links ${project.id}` }))).toMatchObject({ has_more: false });
    expect((resultOf(await agent.send(key, { text: "projects" })).projects as object[]).length).toBe(2);
  });

  test("a large message is executed, but not stored in the history", async () => {
    const { key } = await service.account();
    const urls = Array.from({ length: 140 }, (_, n) => `https://example.com/a-page-with-a-long-name/${n}`);
    const task = await agent.send(key, { data: { skill: "submit_urls", input: { urls } } });
    expect([resultOf(task).urls_accepted, task.history]).toEqual([140, undefined]);
  });

  test("idempotency_key: a repeated call is replayed; other input is REJECTED", async () => {
    const { id, key } = await service.account();
    const keyed = { data: { skill: "submit_urls", input: { urls: URLS, idempotency_key: "k1" } } };
    const first = await agent.send(key, keyed);
    const again = await agent.send(key, keyed);
    expect(again.id).not.toBe(first.id);
    expect(resultOf(again)).toEqual(resultOf(first));
    expect(again.artifacts![0]!.metadata).toEqual({ "beckon/idempotent-replayed": true });
    expect(first.artifacts![0]!.metadata).toBeUndefined();
    const other = { data: { skill: "submit_urls", input: { urls: ["https://b.example/"], idempotency_key: "k1" } } };
    expect(codeOf(await agent.send(key, other))).toBe("idempotency_mismatch");
    const wrong = { data: { skill: "submit_urls", input: { urls: URLS, idempotency_key: 7 } } };
    expect(codeOf(await agent.send(key, wrong))).toBe("invalid_request");
    expect((await stateOf(db, id)).balance).toBe(148);
  });

  test("help is answered by a message, without a task", async () => {
    const { key } = await service.account();
    const answer = await agent.answer(key, { text: "help" });
    expect(answer).toMatchObject({
      message: { role: "ROLE_AGENT", parts: [{ text: expect.stringContaining("submit {urls}") }, {}] },
    });
    expect((await agent.methods.listTasks({}, await agent.call(key))).totalSize).toBe(0);
  });
});

describe("REJECTED", () => {
  test.each([
    ["words", { text: "Please index example.com" }],
    ["an address", { text: "https://example.com/" }],
    ["an unknown skill", { data: { skill: "nothing" } }],
    ["data without a skill", { data: { urls: URLS } }],
  ])("%s: says how to call, and nothing is spent", async (_, saying) => {
    const { id, key } = await service.account();
    const before = await stateOf(db, id);
    const task = await agent.send(key, saying);
    expect(task.status.state).toBe("TASK_STATE_REJECTED");
    expect(statusData(task).skills).toContainEqual({ id: "submit_urls", name: "Submit URLs for indexing" });
    expect(await stateOf(db, id)).toEqual(before);
  });

  test.each([
    ["a file", { parts: [{ raw: "AAAA" }] }, "invalid_request"],
    ["a wrong type", { data: { skill: "submit_urls", input: { urls: "https://example.com/" } } }, "invalid_request"],
    ["an empty list", { data: { skill: "submit_urls", input: { urls: [] } } }, "invalid_request"],
    ["no valid address", { data: { skill: "submit_urls", input: { urls: ["x"] } } }, "no_valid_urls"],
    ["another's project", { text: "status prj_0123456789abc" }, "not_found"],
    ["a watch of another's project", { text: "watch prj_0123456789abc" }, "not_found"],
    ["a pack there is none of", { text: "buy gold" }, "unknown_pack"],
  ])("%s: the error is the same as on every surface", async (_, saying, code) => {
    const { key } = await service.account();
    const task = await agent.send(key, saying);
    expect([task.status.state, codeOf(task)]).toEqual(["TASK_STATE_REJECTED", code]);
    expect(statusData(task)).toMatchObject({ error: { docs: `http://beckon.test/docs/errors/${code}` } });
  });

  test("insufficient_credits: spends nothing, and says how many credits are needed", async () => {
    const { id, key } = await service.account({ credits: 1 });
    const before = await stateOf(db, id);
    expect(statusData(await agent.send(key, submit))).toMatchObject({
      error: { code: "insufficient_credits", needed: 2, balance: 1 },
    });
    expect(await stateOf(db, id)).toEqual(before);
  });
});

describe("FAILED", () => {
  test("internal: the error is logged, and reveals no details", async () => {
    const { key } = await service.account();
    const failing = new TestAgent(service, () => ({ run: async () => Promise.reject(new Error("secret path")) }));
    const task = await failing.send(key, { text: "balance" });
    expect([task.status.state, codeOf(task)]).toEqual(["TASK_STATE_FAILED", "internal"]);
    expect(JSON.stringify(task)).not.toContain("secret path");
    expect(failing.errors).toHaveLength(1);
  });

  test("a call that was committed before the error is still COMPLETED", async () => {
    const { id, key } = await service.account();
    const failing = new TestAgent(service, (inner) => ({
      run: async (work) => {
        await inner.run(work);
        throw new Error("the thread ended");
      },
    }));
    expect((await failing.send(key, submit)).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await stateOf(db, id)).balance).toBe(148);
  });
});

describe("INPUT_REQUIRED", () => {
  const question = { data: { skill: "submit_urls", input: { mode: "instant", idempotency_key: "q" } } };

  test("asks for missing fields, and merges them with the input so far", async () => {
    const { id, key } = await service.account();
    const task = await agent.send(key, { data: { ...question.data, input: { ...question.data.input, urls: null } } });
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(statusData(task)).toMatchObject({
      skill: "submit_urls",
      issues: [{ path: "urls", message: "required" }],
      input_schema: { required: ["urls"] },
    });
    expect((await stateOf(db, id)).balance).toBe(150);
    const done = await agent.send(key, { taskId: task.id, data: { urls: URLS } });
    expect(done).toMatchObject({ id: task.id, contextId: task.contextId, status: { state: "TASK_STATE_COMPLETED" } });
    expect(resultOf(done)).toMatchObject({ credits_spent: 6, project: { mode: "instant" } });
    expect(done.history!.map(({ role }) => role)).toEqual(["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
    expect((await stateOf(db, id)).keys).toBe(1);
  });

  test.each([
    ["a command of the same skill", { text: `submit ${URLS[0]}` }, "instant"],
    ["data with the same skill", { data: { skill: "submit_urls", input: { urls: URLS } } }, "instant"],
    ["JSON text", { text: JSON.stringify({ urls: URLS, mode: "standard" }) }, "standard"],
    ["null, which is as absent,", { data: { urls: URLS, mode: null, name: null } }, "instant"],
  ])("%s continues the task", async (_, saying, mode) => {
    const { key } = await service.account();
    const { id: taskId } = await agent.send(key, question);
    expect(resultOf(await agent.send(key, { taskId, ...saying }))).toMatchObject({ project: { mode } });
  });

  test("another skill starts over in the same task", async () => {
    const { key } = await service.account();
    const { id: taskId } = await agent.send(key, question);
    const task = await agent.send(key, { taskId, text: "balance" });
    expect([task.id, task.artifacts![0]!.name]).toEqual([taskId, "get_account.result"]);
  });

  test.each([
    ["words", { text: "use my home page" }],
    ["an address", { text: URLS[0]! }],
    ["a file", { parts: [{ raw: "AAAA" }] }],
  ])("%s leave the task waiting, and nothing is spent", async (_, saying) => {
    const { id, key } = await service.account();
    const { id: taskId } = await agent.send(key, question);
    expect((await agent.send(key, { taskId, ...saying })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await stateOf(db, id)).balance).toBe(150);
    const done = await agent.send(key, { taskId, data: { urls: URLS } });
    expect(resultOf(done)).toMatchObject({ project: { mode: "instant" } });
  });

  test("REJECTED: an incomplete input over 256 KB is not stored", async () => {
    const { key } = await service.account();
    const task = await agent.send(key, { data: { skill: "submit_urls", input: { name: "x".repeat(300_000) } } });
    expect([task.status.state, statusData(task).skill]).toEqual(["TASK_STATE_REJECTED", "submit_urls"]);
  });

  test("429 rate_limited: at most 100 tasks of an account wait for input; cancelling one makes room", async () => {
    const { key } = await service.account();
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) {
      ids.push((await agent.send(key, { text: "submit" })).id);
      if (n === 50) service.clock.pass(MINUTE);
    }
    service.clock.pass(MINUTE);
    expect(await refusalOf(agent.send(key, { text: "submit" }))).toBe("rate_limited");
    expect((await agent.send(key, { taskId: ids[0]!, text: "later" })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await agent.cancel(key, ids[0]!);
    expect((await agent.send(key, { text: "submit" })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  test("a task keeps its last 20 messages", async () => {
    const { key } = await service.account();
    const { id: taskId } = await agent.send(key, question);
    for (let n = 0; n < 12; n++) await agent.send(key, { taskId, text: `thinking ${n}` });
    const { history } = await agent.task(key, taskId);
    expect([history!.length, history!.at(-1)!.parts]).toEqual([20, [{ text: "thinking 11" }]]);
    const task = await agent.methods.getTask({ id: taskId, historyLength: 2 }, await agent.call(key));
    expect(task.history).toEqual(history!.slice(-2));
    const none = await agent.methods.getTask({ id: taskId, historyLength: 0 }, await agent.call(key));
    expect(none).not.toHaveProperty("history");
  });
});

describe("a repeated message", () => {
  test("the repetition is answered with the task of the first, and executed once", async () => {
    const { id, key } = await service.account();
    const message = messageOf(submit);
    const first = await agent.send(key, message);
    expect(await elsewhere.send(key, message)).toEqual(first);
    expect((await stateOf(db, id)).balance).toBe(148);
  });

  test.each([
    ["at one process", [agent, agent]],
    ["at two", [agent, elsewhere]],
  ])("twice at once %s: executed once", async (_, [one, other]) => {
    const { id, key } = await service.account();
    const message = messageOf(submit);
    const [a, b] = await Promise.all([one!.send(key, message), other!.send(key, message)]);
    expect(a).toEqual(b);
    const { balance, projects, submissions } = await stateOf(db, id);
    expect([balance, projects.length, submissions]).toEqual([148, 1, 1]);
  });

  test.each([
    ["asks for more", "submit"],
    ["is unclear", "what?"],
    ["is refused", "status prj_0123456789abc"],
    ["only reads", "balance"],
  ])("sent twice at once to two processes, where it %s: one task is created", async (_, text) => {
    const { id, key } = await service.account();
    const message = messageOf({ text });
    const [a, b] = await Promise.all([agent.send(key, message), elsewhere.send(key, message)]);
    expect(a).toEqual(b);
    const tasks = await db.q.select().from(db.t.tasks);
    expect(tasks.filter(({ accountId }) => accountId === id)).toHaveLength(1);
  });

  test("sent twice at once with an idempotency key: executed once, and both are answered", async () => {
    const { id, key } = await service.account();
    const message = messageOf({ data: { skill: "submit_urls", input: { urls: URLS, idempotency_key: "both" } } });
    let runs = 0;
    const counting = new TestAgent(service, (inner) => ({
      run: (work) => {
        runs += 1;
        return inner.run(work);
      },
    }));
    const [a, b] = await Promise.all([counting.send(key, message), counting.send(key, message)]);
    expect(a).toEqual(b);
    expect([runs, (await stateOf(db, id)).balance]).toEqual([1, 148]);
  });

  test("the same follow-up sent to two processes at once is executed once", async () => {
    const { id, key } = await service.account();
    const { id: taskId } = await agent.send(key, { text: "submit" });
    const message = messageOf({ taskId, data: { urls: URLS } });
    const [a, b] = await Promise.all([agent.send(key, message), elsewhere.send(key, message)]);
    expect(a).toEqual(b);
    expect((await stateOf(db, id)).projects).toHaveLength(1);
  });

  test.each(["before", "after"])(
    "the same follow-up, answered by another process %s it is looked up, is executed once",
    async (when) => {
      const { id, key } = await service.account();
      const { id: taskId } = await agent.send(key, { text: "submit" });
      const message = messageOf({ taskId, data: { urls: URLS } });
      let answered: unknown;
      const prepared: Engine["prepared"] = (name, build) => {
        const query = db.prepared(name, build);
        if (name !== "task_message" || answered) return query;
        const meanwhile = async () => (answered ??= await elsewhere.send(key, message));
        const execute: typeof query.execute = async (values) => {
          if (when === "before") await meanwhile();
          const rows = await query.execute(values);
          await meanwhile();
          return rows;
        };
        return { execute };
      };
      const late = new TestAgent({ ...service, db: { ...db, prepared } });
      expect(await late.send(key, message)).toEqual(answered);
      expect((await stateOf(db, id)).projects).toHaveLength(1);
    },
  );

  test("of two follow-ups at once one is executed, and the other finds that the task has ended", async () => {
    const { id, key } = await service.account();
    const { id: taskId } = await agent.send(key, { text: "submit" });
    const follow = (by: TestAgent) => by.send(key, { taskId, data: { urls: URLS } });
    const both = await Promise.allSettled([follow(agent), follow(elsewhere)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const failed = both.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(failed.reason).toBeInstanceOf(UnsupportedOperationError);
    expect((await stateOf(db, id)).projects).toHaveLength(1);
  });

  test("another message with the same id is refused as malformed", async () => {
    const { id, key } = await service.account();
    const message = messageOf(submit);
    await agent.send(key, message);
    await expect(agent.send(key, { ...message, parts: [{ text: `submit ${URLS[0]}` }] })).rejects.toThrow(
      RequestMalformedError,
    );
    expect((await stateOf(db, id)).balance).toBe(148);
  });

  test("message ids are separate for each account", async () => {
    const [mine, theirs] = [await service.account(), await service.account()];
    const message = messageOf(submit);
    const [a, b] = [await agent.send(mine.key, message), await agent.send(theirs.key, message)];
    expect(a.id).not.toBe(b.id);
    expect((await stateOf(db, theirs.id)).balance).toBe(148);
  });

  test("REJECTED idempotency_in_flight: a call with the same key is running; the message can be repeated", async () => {
    const { id, key } = await service.account();
    const input = { urls: URLS, mode: "standard", bing: true, yandex: true, drip_days: 0, skip_indexed: false };
    const now = service.clock.now();
    const held = {
      inputHash: hashInput(input),
      owner: "another",
      lockedUntil: now + MINUTE,
      createdAt: now,
      result: null,
    };
    await db.tx(async (tx) => {
      const row = { accountId: id, operation: "submit_urls", key: "busy", ...held };
      await tx.q.insert(tx.t.idempotency).values(row);
    });
    const message = messageOf({ data: { skill: "submit_urls", input: { ...input, idempotency_key: "busy" } } });
    const refused = await agent.send(key, message);
    expect([refused.status.state, statusData(refused)]).toMatchObject([
      "TASK_STATE_REJECTED",
      { error: { code: "idempotency_in_flight" } },
    ]);
    expect(await agent.task(key, refused.id)).toEqual(refused);
    service.clock.pass(MINUTE);
    expect((await agent.send(key, message)).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await stateOf(db, id)).balance).toBe(148);
  });
});

describe("a process that dies", () => {
  test("killed before the call: the message is repeated at another process, and executed", async () => {
    const { id, key } = await service.account();
    const message = messageOf(submit);
    const dying = new TestAgent(service, () => ({ run: () => new Promise(() => undefined) }));
    void dying.send(key, message);
    expect((await elsewhere.send(key, message)).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await stateOf(db, id)).balance).toBe(148);
  });

  test("killed after the call: the message is repeated at another process, and answered with the task", async () => {
    const { id, key } = await service.account();
    const message = messageOf(submit);
    await new Promise<void>((done) => {
      const dying = new TestAgent(service, (inner) => ({
        run: async (work) => {
          await inner.run(work);
          done();
          return new Promise(() => undefined);
        },
      }));
      void dying.call(key).then((call) => dying.methods.sendMessage({ message }, call));
    });
    expect((await elsewhere.send(key, message)).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await stateOf(db, id)).projects).toHaveLength(1);
  });
});

test.each(["messageId", "contextId", "taskId"])(
  "%s with a control character or half of a surrogate pair is malformed",
  async (field) => {
    const { key } = await service.account();
    for (const id of ["a\u0000b", "a\ud800b"])
      await expect(agent.send(key, { text: "balance", [field]: id })).rejects.toThrow(RequestMalformedError);
  },
);

describe("credentials", () => {
  test("401 unauthorized: without a credential only public skills can be called", async () => {
    expect(await refusalOf(agent.send(undefined, submit))).toBe("unauthorized");
    expect(await refusalOf(agent.send(undefined, { taskId: "tsk_1", text: "pricing" }))).toBe("unauthorized");
    const task = await agent.send(undefined, { text: "pricing" });
    expect(resultOf(task)).toMatchObject({ object: "pricing" });
    const words = await agent.send(undefined, { text: "what does it cost?" });
    expect(words.status.state).toBe("TASK_STATE_REJECTED");
    expect((await db.q.select().from(db.t.tasks)).map(({ id }) => id)).not.toContain(task.id);
    expect((await db.q.select().from(db.t.tasks)).map(({ id }) => id)).not.toContain(words.id);
  });

  test("403 insufficient_scope: the message can be repeated", async () => {
    const { id, key } = await service.account({ scopes: ["read"] });
    expect(await refusalOf(agent.send(key, submit))).toBe("insufficient_scope");
    expect((await stateOf(db, id)).balance).toBe(150);
    expect(await db.q.select().from(db.t.tasks)).not.toContainEqual(expect.objectContaining({ accountId: id }));
  });

  test("429 rate_limited: creates no task, and the message can be repeated", async () => {
    const { id, key } = await service.account();
    const message = messageOf({ text: "read sitemap http://127.0.0.1:1/s.xml" });
    for (let n = 0; n < 20; n++) await agent.send(key, { ...message, messageId: `m${n}` });
    expect(await refusalOf(agent.send(key, message))).toBe("rate_limited");
    const sent = await db.q.select().from(db.t.taskMessages);
    expect(sent.filter(({ accountId }) => accountId === id)).toHaveLength(20);
  });
});
