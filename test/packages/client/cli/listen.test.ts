import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as retry from "../../../../packages/client/src/retry.ts";
import { keysOf, revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { client, userOf } from "../../../support/client/beckon-client.ts";
import { freePort } from "../../../support/network/free-port.ts";
import { hookReceiver } from "../../../support/network/hook-receiver.ts";
import { eventually } from "../../../support/service/eventually.ts";
import { testService } from "../../../support/service/service.ts";

// A service is asked again at once.
beforeEach(() => {
  vi.spyOn(retry, "pause").mockImplementation(async (_ms, signal) => signal?.throwIfAborted());
});
afterEach(() => vi.restoreAllMocks());

const service = await testService({ publishUrl: true });
afterAll(() => service.close());

/** The command at a service, until it is stopped. */
function listening(
  env: ReturnType<typeof userOf>,
  args: readonly string[],
  given: { isOutputTerminal?: boolean } = {},
) {
  const stopping = new AbortController();
  const seen = { out: "", err: "" };
  const ended = client(env, ["listen", ...args], {
    ...given,
    async out(text) {
      seen.out += text;
    },
    err(text) {
      seen.err += text;
    },
    signal: stopping.signal,
  });
  onTestFinished(() => stopping.abort(new Error("interrupted")));
  const lines = () => seen.out.split("\n").filter((line) => line !== "");
  const stop = async () => {
    stopping.abort(new Error("interrupted"));
    return (await ended).code;
  };
  return { seen, ended, stop, lines, documents: () => lines().map((line) => JSON.parse(line)) };
}

async function user() {
  const { id, key } = await service.account({ credits: 500 });
  return { id, key, env: userOf(service.url, key) };
}

/** Makes a project and cancels it, which are two events. @returns its id */
async function settleOne(key: string): Promise<string> {
  const body = { urls: ["https://example.com/a"], drip_days: 3 };
  const { id } = (await service.request("POST", "/projects", { key, body })).json.project;
  await service.request("POST", `/projects/${id}/cancel`, { key, body: {} });
  return id;
}

const eventsOf = async (key: string) => (await service.request("GET", "/events", { key })).json.events;

test("prints what happens from now on, as list_events has it, and exits with 0 when it is stopped", async () => {
  const { key, env } = await user();
  await settleOne(key);
  const before = (await eventsOf(key)).length;
  const listener = listening(env, []);
  await eventually(() => expect(listener.documents()).toHaveLength(1));
  const listened = { source: service.url, forward_to: null, secret: null };
  expect(listener.documents()[0]).toMatchObject({ listening: listened });
  await settleOne(key);
  const events = (await eventsOf(key)).slice(before);
  await eventually(() => expect(listener.documents().slice(1)).toEqual(events));
  expect([events.length, await listener.stop(), listener.seen.err]).toEqual([2, 0, ""]);
});

test("begins after the event that is named, and prints events of the types that are asked for", async () => {
  const { key, env } = await user();
  await settleOne(key);
  await settleOne(key);
  const [first, ...others] = await eventsOf(key);
  const all = listening(env, ["--after", first.id]);
  await eventually(() => expect(all.documents().slice(1)).toEqual(others));
  const some = listening(env, ["--after", first.id, "--events", "project.completed, credits.low"]);
  const completed = others.filter(({ type }: { type: string }) => type === "project.completed");
  await eventually(() => expect(some.documents().slice(1)).toEqual(completed));
  expect(completed.length).toBeLessThan(others.length);
  expect([await all.stop(), await some.stop()]).toEqual([0, 0]);
});

test("forwards each event once, signed so that the stock library verifies it, and says what the receiver answered", async () => {
  const { key, env } = await user();
  const receiver = await hookReceiver();
  onTestFinished(() => receiver.close());
  const address = receiver.url.replace("http://", "");
  const args = ["--forward-to", `${address}/hook`, "--events", "project.completed"];
  const listener = listening(env, args, { isOutputTerminal: true });
  await eventually(() => expect(listener.seen.out).toContain("whsec_"));
  const secret = /whsec_\S+/.exec(listener.seen.out)![0];
  await settleOne(key);
  await eventually(() => expect(listener.lines().at(-1)).toMatch(/^ {2}→ 204 in \d+ ms$/));
  const [{ path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect([path, verified]).toMatchObject(["/hook", { type: "project.completed", data: { kind: "index" } }]);
  receiver.answer({ status: 500 });
  await settleOne(key);
  await eventually(() => expect(listener.lines().at(-1)).toMatch(/^ {2}→ 500 in \d+ ms$/));
  expect([receiver.received.length, await listener.stop()]).toEqual([2, 0]);
});

test("a receiver that is away is named, with the reason", async () => {
  const { key, env } = await user();
  const secret = `whsec_${Buffer.from("a secret of this test alone").toString("base64")}`;
  const listener = listening(env, ["--forward-to", `http://127.0.0.1:${await freePort()}`, "--secret", secret]);
  await eventually(() => expect(listener.documents()).toHaveLength(1));
  expect(listener.documents()[0].listening.secret).toBe(secret);
  await settleOne(key);
  await eventually(() => expect(listener.documents()).toHaveLength(3));
  expect(listener.documents()[1].forwarded).toEqual({
    status: null,
    ms: expect.any(Number),
    reason: "ECONNREFUSED",
  });
  await listener.stop();
});

test("goes on after the service was away, is restarted or asks for time, and prints no event twice", async () => {
  const event = (no: number) => ({ object: "event", id: `evt_1_${no}`, type: "credits.low", at: "", data: {} });
  const page = (...events: object[]) => [200, JSON.stringify({ events, has_more: false })] as const;
  /** The answers, in order; the last one goes on. More failures than the client repeats by itself. */
  const script = [
    page(),
    page(event(1)),
    ...Array(6).fill([503, "<html>"]),
    "away",
    [429, "{}"],
    page(event(2)),
    page(),
  ];
  const asked: (string | null)[] = [];
  const server = createServer((req, res: ServerResponse) => {
    asked.push(new URL(req.url!, "http://127.0.0.1").searchParams.get("after"));
    const answer = script.length > 1 ? script.shift() : script[0];
    if (answer === "away") return void res.destroy();
    const [status, body] = answer as readonly [number, string];
    res.writeHead(status, { "Content-Type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const listener = listening(userOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "bk_test_x"), []);
  await eventually(() => expect(listener.documents()).toHaveLength(3));
  await listener.stop();
  expect(listener.documents().slice(1)).toEqual([event(1), event(2)]);
  expect(listener.seen.err).toMatch(/is not available at present \(status 503\)\. Trying again in \d+ s\.\n/);
  expect(listener.seen.err).toContain("Connected again.\n");
  expect(new Set(asked.slice(2, 9))).toEqual(new Set(["evt_1_1"]));
});

test("exit 3 when the key is revoked", async () => {
  const { env, id } = await user();
  const listener = listening(env, []);
  await eventually(() => expect(listener.documents()).toHaveLength(1));
  const [made] = await keysOf(service.db, id);
  await service.db.tx((tx) => revokeKey(tx, made!.id, service.clock.now()));
  expect([(await listener.ended).code, listener.seen.err.replaceAll("\n", " ")]).toEqual([
    3,
    expect.stringMatching(/^beckon: .*revoked/),
  ]);
});

test("exit 1: no event of the account is named", async () => {
  const { env } = await user();
  const { code, err } = await client(env, ["listen", "--after", "evt_0_1"]);
  expect([code, err]).toEqual([1, expect.stringContaining("no event of this account")]);
});

test.each([
  ["an unknown type of event", ["--events", "project.done"], /"project.done" is not one of project.completed/],
  ["a receiver elsewhere", ["--forward-to", "https://example.com/hook"], /not an address of this machine/],
  ["a receiver by its name", ["--forward-to", "example.com"], /not an address of this machine/],
  ["a receiver with a password", ["--forward-to", "http://me:pw@localhost:1"], /not an address of this machine/],
  ["a file", ["--forward-to", "file:///etc/passwd"], /not an address of this machine/],
  ["a secret that is none", ["--forward-to", "localhost:1", "--secret", "hush"], /--secret/],
  ["a secret and nowhere to send to", ["--secret", "whsec_AAAAAAAAAAAAAAAAAAAAAA=="], /--forward-to/],
])("exit 2: %s", async (_, args, words) => {
  const { code, err } = await client(userOf("http://127.0.0.1:9", "bk_test_x"), ["listen", ...args]);
  expect([code, err.replaceAll("\n", " ")]).toEqual([2, expect.stringMatching(words)]);
});
