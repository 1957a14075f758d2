import { once } from "node:events";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { revokeKey } from "../../../src/domain/credentials/keys.ts";
import { freePort } from "../../support/network/free-port.ts";
import { hookReceiver } from "../../support/network/hook-receiver.ts";
import { beckonProcess } from "../../support/service/beckon-process.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { eventually, eventuallyServed } from "../../support/service/eventually.ts";

interface Env extends NodeJS.ProcessEnv {
  readonly DATABASE_URL: string;
  readonly PORT: string;
}

async function settings(): Promise<Env> {
  return { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}`, PORT: String(await freePort()), MAIL: "console" };
}

/** A serving process. */
async function served(env: Env) {
  const service = beckonProcess(env, "serve", "--json");
  const { address, demo } = JSON.parse(await service.firstLine());
  return { service, address: address as string, key: demo.key as string };
}

/** A process that listens. */
async function listening(env: NodeJS.ProcessEnv, ...args: string[]) {
  const listener = beckonProcess(env, "listen", ...args);
  await listener.firstLine();
  const lines = () => listener.seen.out.trim().split("\n");
  const stop = async () => {
    listener.child.kill("SIGINT");
    return listener.exited;
  };
  return { listener, lines, documents: () => lines().map((line) => JSON.parse(line)), stop };
}

/** Makes a project and cancels it, which are two events. @returns its id, when both are there */
async function settleOne(address: string, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${address}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as { project: { id: string } };
  };
  const { project } = await post("projects", { urls: ["https://example.com/a"], drip_days: 3 });
  await post(`projects/${project.id}/cancel`, {});
  // A step that was under way settles its links after the cancel.
  await eventuallyServed(async () => {
    const answer = await fetch(`${address}/api/v1/events?project_id=${project.id}`, { headers });
    expect(await answer.text()).toContain("project.completed");
  });
  return project.id;
}

test("prints what happens from now on, as list_events has it, and ends clean on Ctrl-C", async () => {
  const env = await settings();
  const { address, key } = await served(env);
  await settleOne(address, key);
  const { documents, stop } = await listening({ BECKON_URL: address, BECKON_API_KEY: key }, "--json");
  expect(documents()[0]).toMatchObject({ listening: { source: address, forward_to: null, secret: null } });
  const project = await settleOne(address, key);
  await eventually(() => expect(documents().length).toBeGreaterThan(1));
  const { events } = (await (
    await fetch(`${address}/api/v1/events?project_id=${project}`, { headers: { Authorization: `Bearer ${key}` } })
  ).json()) as { events: { id: string }[] };
  await eventually(() => expect(documents().slice(1)).toEqual(events));
  expect(await stop()).toMatchObject({ code: 0, err: "" });
});

test("forwards the events of some types, signed so that the stock library verifies them, and goes on after the service was away", async () => {
  const env = await settings();
  const receiver = await hookReceiver();
  onTestFinished(() => receiver.close());
  const first = await served(env);
  const { key } = first;
  const address = `http://127.0.0.1:${env.PORT}`;
  const forward = ["--forward-to", `${receiver.url.replace("http://", "")}/hook`, "--events", "project.completed"];
  const { listener, lines, stop } = await listening({ BECKON_URL: address, BECKON_API_KEY: key }, ...forward);
  const secret = /whsec_\S+/.exec(listener.seen.out)![0];
  await settleOne(address, key);
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const { path, headers, body } = receiver.received[0]!;
  expect(path).toBe("/hook");
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "project.completed",
    data: { kind: "index", credits_returned: 1 },
  });
  await eventually(() => expect(lines().at(-1)).toMatch(/^ {2}→ 204 in \d+ ms$/));

  first.service.child.kill("SIGTERM");
  await once(first.service.child, "exit");
  await eventually(() => expect(listener.seen.err).toContain("Trying again in 1 s."));
  await served(env);
  receiver.answer({ status: 500 });
  await settleOne(address, key);
  await eventually(() => expect(receiver.received).toHaveLength(2));
  await eventually(() => expect(lines().at(-1)).toContain("5xx"));
  expect(listener.seen.err).toContain("Connected again.");
  expect(listener.seen.err).not.toContain("    at ");
  expect(await stop()).toMatchObject({ code: 0 });
});

test("without BECKON_URL it listens to the local database, from the event that is named, until the key is revoked", async () => {
  const env = await settings();
  const { service, address, key } = await served(env);
  await settleOne(address, key);
  const answer = await fetch(`${address}/api/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
  const { events } = (await answer.json()) as { events: { id: string }[] };
  const local = { ...env, BECKON_API_KEY: key };
  const { listener, documents } = await listening(local, "--json", "--after", events[0]!.id);
  await eventually(() => expect(documents().slice(1)).toEqual(events.slice(1)));
  service.child.kill("SIGTERM");
  await service.exited;
  const db = await openDatabase(env.DATABASE_URL);
  const [row] = await db.q.select().from(db.t.apiKeys);
  await db.tx((tx) => revokeKey(tx, row!.id, Date.now()));
  await db.close();
  const ended = await listener.exited;
  expect(ended.code).toBe(1);
  expect(ended.err).toMatch(/^beckon: .*revoked/);
});

test.each([
  ["a key that is not valid", { BECKON_API_KEY: "bk_test_none" }, [], /^beckon: The credential is unknown, revoked/],
  ["no event of the account", {}, ["--after", "evt_0_1"], /no event of this account/],
])("exit 1: %s: says so in a line, and ends", async (_, more, args, message) => {
  const env = await settings();
  const { address, key } = await served(env);
  const listener = beckonProcess({ BECKON_URL: address, BECKON_API_KEY: key, ...more }, "listen", ...args);
  const ended = await listener.exited;
  expect(ended.code).toBe(1);
  expect(ended.err).toMatch(message);
  expect(ended.err.trim().split("\n")).toHaveLength(1);
});
