import { afterAll, beforeEach, expect, test } from "vitest";
import { createKey } from "../../../../../../src/domain/credentials/keys.ts";
import { savePushConfig } from "../../../../../../src/domain/tasks/push-configs.ts";
import { writeTurn } from "../../../../../../src/domain/tasks/write.ts";
import { secretBoxOf } from "../../../../../../src/platform/config/secrets-key.ts";
import { newId } from "../../../../../../src/platform/ids.ts";
import { eventReceiver } from "../../../../../support/mcp/event-receiver.ts";
import { message, poster } from "../../../../../support/mcp/post.ts";
import { testService } from "../../../../../support/service/service.ts";
import { giveFactors, showFactorIn } from "../../../../../support/website/factors.ts";
import { signedIn, type User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/webhooks";
const URL_OF = "http://127.0.0.1:9/hooks/secret-path";
let user: User;
let accountId: string;
let email: string;
beforeEach(async () => {
  ({ user, accountId, email } = await signedIn(service));
});

const rows = async () => {
  const { webhooks } = service.db.t;
  return (await service.db.q.select().from(webhooks)).filter((row) => row.accountId === accountId);
};

async function add(): Promise<string> {
  const page = await user.submit(await user.get(PATH), { url: URL_OF, type: "project.completed" }, PATH);
  expect(page.status).toBe(200);
  return page.text;
}

test("a webhook is added with its types, its secret is shown once, and a test message waits", async () => {
  const text = await add();
  const secret = /whsec_[\w+/]{43}=/.exec(text)?.[0];
  expect(secret).toBeDefined();
  const [row] = await rows();
  expect(row).toMatchObject({
    url: URL_OF,
    types: "project.completed",
    maker: expect.stringMatching(/^per_/),
    status: "active",
  });
  expect(JSON.stringify(row)).not.toContain(secret);
  const { text: page } = await user.get(`${PATH}/${row!.id}`);
  expect(page).toContain("webhook.ping");
  expect(page).not.toContain(secret);
  expect((await user.get(PATH)).text).not.toContain(secret);
});

test("the owner is mailed that a webhook was added, by its origin alone", async () => {
  await add();
  // The operation wakes no sender; this does.
  await service.db.tx((tx) => service.mailer.queue(tx, null));
  const mails = service.outbox.filter(({ to, subject }) => to === email && subject.startsWith("A webhook was"));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain("http://127.0.0.1:9");
  expect(mails[0]!.text).not.toContain("secret-path");
});

test("the owner is mailed when a webhook is led to another origin, and not for another path", async () => {
  const key = await service.db.tx((tx) =>
    createKey(tx, { accountId, name: "CI", mode: "sandbox", now: service.clock.now() }),
  );
  const save = (body: object) => service.request("POST", "/webhooks", { key, body });
  const { json } = await save({ url: URL_OF });
  const about = { webhook_id: json.webhook.id };
  const told = async () => {
    await service.db.tx((tx) => service.mailer.queue(tx, null));
    return service.outbox.filter(({ to, subject }) => to === email && subject.includes("another address"));
  };
  await save({ ...about, url: `${URL_OF}/further` });
  await save({ ...about, description: "mine" });
  expect(await told()).toEqual([]);
  await save({ ...about, url: "http://127.0.0.1:10/secret-path" });
  expect((await told()).map(({ text }) => text)).toEqual([expect.stringMatching(/http:\/\/127\.0\.0\.1:10\s/)]);
  expect((await told())[0]!.text).not.toContain("secret-path");
});

test("303 to confirm who one is, where the account has a factor: nothing is made, replaced or made active", async () => {
  await add();
  const { id } = (await rows())[0]!;
  const path = `${PATH}/${id}`;
  const [list, page] = [await user.get(PATH), await user.get(path)];
  await giveFactors(service, secretBoxOf(service.config), accountId);
  const paused = await user.submit(page, { status: "paused" }, `${path}/status`);
  expect(paused.location).toBe(`${path}?done=paused`);
  const before = await rows();
  const asked = () =>
    Promise.all([
      user.submit(list, { url: `${URL_OF}/2` }, PATH),
      user.submit(page, {}, `${path}/secret`),
      user.post(`${path}/status`, [page.forms[0]!.fields.find(([name]) => name === "token")!, ["status", "active"]]),
    ]);
  for (const { status, location } of await asked())
    expect([status, location]).toEqual([303, expect.stringContaining("/sign-in?return_to=%2Fdashboard%2Fwebhooks")]);
  expect(await rows()).toEqual(before);
  await showFactorIn(service, accountId);
  expect((await asked()).map(({ status }) => status)).toEqual([200, 200, 303]);
  expect((await rows()).map(({ status }) => status)).toEqual(["active", "active"]);
});

test("400: an address that cannot be called stays in the form, with what is wrong with it", async () => {
  const refused = await user.submit(await user.get(PATH), { url: "http://example.com/x", type: "order.paid" }, PATH);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("has to begin with https://");
  expect(refused.html).toContain('value="http://example.com/x"');
  expect(await rows()).toEqual([]);
});

test("it is paused and made active, its secret is replaced, and it is deleted", async () => {
  const first = /whsec_[\w+/]{43}=/.exec(await add())![0];
  const { id } = (await rows())[0]!;
  const path = `${PATH}/${id}`;
  const press = async (action: string) => user.submit(await user.get(path), {}, `${path}/${action}`);
  await press("status");
  expect((await rows())[0]!.status).toBe("paused");
  await press("status");
  expect((await rows())[0]!.status).toBe("active");
  const replaced = /whsec_[\w+/]{43}=/.exec((await press("secret")).text)![0];
  expect(replaced).not.toBe(first);
  expect((await press("ping")).status).toBe(303);
  expect((await press("repeat")).status).toBe(303);
  expect((await press("delete")).location).toBe(`${PATH}?done=deleted`);
  expect(await rows()).toEqual([]);
});

test("404: a webhook of another account is neither shown nor changed", async () => {
  await add();
  const { id } = (await rows())[0]!;
  const page = await user.get(`${PATH}/${id}`);
  const { user: other } = await signedIn(service);
  expect((await other.get(`${PATH}/${id}`)).status).toBe(404);
  expect((await other.submit(page, {}, `${PATH}/${id}/delete`)).status).not.toBe(303);
  expect(await rows()).toHaveLength(1);
});

test("push configurations of agents stand on the page by their origin, and the person deletes them", async () => {
  const { db, clock, config } = service;
  const now = clock.now();
  const taskId = newId("task");
  const id = await db.tx(async (tx) => {
    const turn = { taskId, contextId: "c", skill: "watch_project", messageId: null, digest: "", history: "[]" };
    const update = { state: "working", now } as const;
    await writeTurn(tx, accountId, { ...turn, metadata: null, revision: null, stateOnSuccess: "working" }, update);
    const made = { accountId, maker: "key_of_agent", taskId, configId: undefined, url: URL_OF, secrets: {} };
    const saved = await savePushConfig(tx, secretBoxOf(config), { ...made, protocol: "1.0" }, now);
    return saved!.row.id;
  });
  const page = await user.get(PATH);
  expect(page.text).toContain("http://127.0.0.1:9 Made");
  expect(page.text).not.toContain("secret-path");
  const action = `${PATH}/pushes/${id}/delete`;
  const { user: stranger } = await signedIn(service);
  const token = (await stranger.get("/dashboard/notices")).forms[0]!.fields.find(([name]) => name === "token")!;
  expect((await stranger.post(action, [token])).status).toBe(404);
  const deleted = await user.submit(page, {}, action);
  expect([deleted.status, deleted.location]).toEqual([303, `${PATH}?done=push`]);
  expect((await user.follow(deleted)).text).toContain("Nothing more is sent there");
  expect(await db.q.select().from(db.t.pushConfigs)).toEqual([]);
});

test("subscriptions of agents stand on the page by their origin; the person is mailed once for it, and ends them", async () => {
  const { db, clock } = service;
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "agent", mode: "sandbox", now: clock.now() }));
  const receiver = await eventReceiver();
  try {
    const delivery = { mode: "webhook", url: `${receiver.origin}/secret-path`, secret: receiver.secret() };
    const narrow = { name: "project.completed", arguments: { project_id: "prj_0123456789abc" } };
    for (const about of [narrow, { name: "credits.low" }])
      await poster(service.url)(message("events/subscribe", { ...about, delivery }), { key });
    const page = await user.get(PATH);
    expect(page.text).toContain(`project.completed to ${receiver.origin}`);
    expect(page.text.match(/Only of .*?(?= Made|$)/gm)).toEqual([expect.stringContaining("prj_0123456789abc")]);
    expect(page.text).not.toContain("secret-path");
    // The call wakes no sender; this does.
    await db.tx((tx) => service.mailer.queue(tx, null));
    const mails = service.outbox.filter(({ to, subject }) => to === email && subject.includes("gets events"));
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining(receiver.origin)]);
    expect(mails[0]!.text).not.toContain("secret-path");
    const rows = (await db.q.select().from(db.t.eventSubscriptions)).filter((row) => row.accountId === accountId);
    const action = `${PATH}/subscriptions/${rows[0]!.id}/end`;
    const { user: stranger } = await signedIn(service);
    const token = (await stranger.get("/dashboard/notices")).forms[0]!.fields.find(([name]) => name === "token")!;
    expect((await stranger.post(action, [token])).status).toBe(404);
    const ended = await user.submit(page, {}, action);
    expect([ended.status, ended.location]).toEqual([303, `${PATH}?done=ended`]);
    expect((await user.follow(ended)).text).toContain("The subscription has ended");
    const left = (await db.q.select().from(db.t.eventSubscriptions)).filter((row) => row.accountId === accountId);
    expect(left.map(({ id }) => id)).toEqual([rows[1]!.id]);
  } finally {
    await receiver.close();
  }
});
