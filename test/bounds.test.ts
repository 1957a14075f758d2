import { request as send } from "node:http";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { cardMethodOf } from "../src/domain/payments/find-method.ts";
import { HOUR } from "../src/platform/clock.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { runsOf } from "./support/checks/fuzz-runs.ts";
import { doorsOf, PLAIN, type Sent, takesJson } from "./support/json/doors.ts";
import { SHAPES, type Shape } from "./support/json/shapes.ts";
import { documentHost } from "./support/oauth/document-host.ts";
import { DirectWorld } from "./support/payments/direct-world.ts";
import { DIRECT } from "./support/payments/fake-direct-payments.ts";
import { testService } from "./support/service/service.ts";

/**
 * Hostile documents of every shape, through every door, of any size up to more than the door takes, whole or cut off: each is answered
 * as specified, and what it costs has a bound. `npm run bench -- stalls` measures the time.
 */
const documents = await documentHost();
const cards = await cardMethodOf(readConfig({ SITE_URL: "http://beckon.test" }))!.load();
const payer = await DirectWorld.open();
const service = await testService({
  config: { ...documents.reachable, direct: DIRECT },
  payments: { cards: cards({ ...payer, log: { error() {}, info() {}, warn() {} } }), direct: payer.direct },
  httpOverrides: documents.outside,
});
afterAll(async () => {
  await service.close();
  await payer.store.close();
  await documents.close();
});
const { key } = await service.account({ credits: 1_000_000 });
const DOORS = doorsOf(service, { documents, key });
const RUNS = runsOf({ usually: 60, deep: 1_200 });

/** What an answer has at most, in characters: a refusal names a few problems, whatever was wrong. */
const MOST_ANSWER = 16 * 1024;
/** What `JSON.parse` reads at most of what is no list of URLs, in characters: what a body may have, and what the program reads besides. */
const MOST_PARSED = 320 * 1024;

interface Received {
  /** 0: the connection was closed while the body was still being sent, as it may be. */
  readonly status: number;
  readonly text: string;
}

function receive({ path, method = "POST", headers = {}, body = "" }: Sent): Promise<Received> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const length = method === "GET" ? {} : { "content-length": bytes.length };
    const sent = send(`${service.url}${path}`, { method, headers: { ...headers, ...length }, agent: false });
    sent.on("error", () => resolve({ status: 0, text: "" }));
    sent.on("response", async (response) => {
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      resolve({ status: response.statusCode!, text });
    });
    sent.end(bytes);
  });
}

test.each(Object.entries(DOORS))("%s: leads to whoever reads the document", async (_, { sent, plain = 200 }) => {
  service.clock.pass(HOUR);
  const { status } = await receive(await sent(PLAIN));
  expect(status).toBe(plain);
});

test("the document that describes an app is fetched", () => expect(documents.asked).toHaveLength(1));

/** Characters that `JSON.parse` gets while `work` runs. */
async function parsedBy(work: () => Promise<void>): Promise<number> {
  let characters = 0;
  const parse = JSON.parse;
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    characters += String(text).length;
    return parse(text, reviver);
  });
  await work().finally(() => spy.mockRestore());
  return characters;
}

const cases = fc.record({
  door: fc.constantFrom(...Object.keys(DOORS)),
  shape: fc.constantFrom(...SHAPES),
  bytes: fc.oneof(
    fc.integer({ min: 2, max: 2_000 }),
    fc.integer({ min: 60_000, max: 70_000 }),
    fc.integer({ min: 200_000, max: 300_000 }),
    fc.integer({ min: 900_000, max: 2_500_000 }),
  ),
  whole: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
});

async function check(name: string, shape: Shape, bytes: number, whole: number): Promise<void> {
  const door = DOORS[name]!;
  const text = shape.text(Math.min(bytes, door.most ?? bytes));
  // Every limit counts within an hour.
  for (const { clock } of [service, payer]) clock.pass(HOUR);
  const sent = await door.sent(text.slice(0, Math.ceil(text.length * whole)));
  const size = sent.body?.length ?? 0;
  let received: Received = { status: 0, text: "" };
  const parsed = await parsedBy(async () => {
    received = await receive(sent);
  });
  const { status, text: answer } = received;
  if (size < 64 * 1024) expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (!door.isPage) {
    expect(answer.length).toBeLessThan(MOST_ANSWER);
    if (answer !== "" && sent.method !== "GET") expect(() => JSON.parse(answer)).not.toThrow();
  }
  // A list is parsed an entry at a time, once to be read and once to be known again.
  expect(parsed).toBeLessThan(MOST_PARSED + (shape.refusal === null ? 2 * size : 0));
  expect(service.errors).toEqual([]);
}

test("law: every door answers a hostile document as specified, at a bounded cost", {
  timeout: 60_000 + RUNS * 1_000,
}, async () => {
  const property = fc.asyncProperty(cases, ({ door, shape, bytes, whole }) => check(door, shape, bytes, whole));
  await fc.assert(property, { numRuns: RUNS, seed: 44 });
});

const WORDS = {
  depth: "is nested deeper than 64 levels",
  values: "has more than 40,000 values",
  members: "has more than 4,000 fields",
  nameBytes: "has a field whose name is longer than 1,024 bytes",
  bytes: "is over 262,144 bytes",
  elementBytes: "has a URL that is longer than 65,536 bytes",
};

/** Bytes of a hostile document. */
const SIZE = 1_000_000;

test.each(SHAPES.flatMap(({ name, refusal, text }) => (refusal ? [[name, refusal, text] as const] : [])))(
  "law: %s is refused while it is read (%s), at every door with JSON",
  { timeout: 60_000 },
  async (_, refusal, text) => {
    for (const [name, { sent, most = SIZE }] of Object.entries(DOORS)) {
      const request = await sent(text(SIZE));
      // What does not fit into a header is refused before anybody reads it.
      if (!takesJson(request) || most < SIZE) continue;
      service.clock.pass(HOUR);
      const { status, text: answer } = await receive(request);
      // Whoever is still sending may find the connection closed.
      if (status === 0) continue;
      expect(status, name).toBe(name === "OAuth, a registration" || refusal === "bytes" ? 413 : 400);
      if (status === 400) expect(answer, name).toContain(WORDS[refusal]);
    }
  },
);
