import { afterAll, beforeAll, expect, test } from "vitest";
import { BeckonError, type ClientOptions, createClient } from "../../../packages/client/src/index.ts";
import { type TestService, testService } from "../../support/service/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

async function clientOf(options: Partial<ClientOptions> & { credits?: number } = {}) {
  const { credits = 1_000, ...more } = options;
  const { key } = await service.account({ credits });
  return createClient({ url: service.url, credential: key, ...more });
}

/** A `fetch` that fails as told before it works, and notes what was sent. */
function failing(...failures: (Response | Error | "lost")[]) {
  const sent: { method: string; key: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ method: init!.method!, key: new Headers(init!.headers).get("idempotency-key") });
    const failure = failures.shift();
    if (failure === "lost") {
      await globalThis.fetch(input, init);
      throw new TypeError("fetch failed");
    }
    if (failure instanceof Error) throw failure;
    return failure ?? globalThis.fetch(input, init);
  };
  return { fetch, sent };
}

function refusal(status: number, code: string, headers: Record<string, string> = { "Retry-After": "0" }): Response {
  return new Response(JSON.stringify({ error: { code, message: "No." } }), { status, headers });
}

test("calls operations by their names, and answers what the service answers", async () => {
  const client = await clientOf();
  expect(await client.getAccount()).toMatchObject({ object: "account", credits: 1_000 });
  const { project, credits_spent } = await client.submitUrls({ urls: urls(3), name: "Three" });
  expect({ credits_spent, name: project.name }).toEqual({ credits_spent: 3, name: "Three" });
  expect(await client.getProject({ project_id: project.id })).toEqual(project);
  const { links } = await client.listLinks({ project_id: project.id, limit: 2 });
  expect(links.map(({ url }) => url)).toEqual(urls(2));
});

test("null in a field is as absent", async () => {
  const client = await clientOf();
  await client.submitUrls({ urls: urls(1) });
  const nulls = { search: null, status: null, limit: null } as never;
  expect((await client.listProjects(nulls)).projects).toHaveLength(1);
});

test("works without a credential for public operations", async () => {
  const client = createClient({ url: service.url });
  expect(await client.estimateCost({ count: 7 })).toMatchObject({ credits: 7, balance: null });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "unauthorized", status: 401 });
});

test("asks a credential's function before each request", async () => {
  const { key } = await service.account();
  const keys = ["wrong_key", key];
  const client = createClient({ url: service.url, credential: async () => keys.shift() });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "unauthorized" });
  expect(await client.getAccount()).toHaveProperty("id");
});

test("an error has the code, the status, the fields and the page of the service's", async () => {
  const client = await clientOf({ credits: 2 });
  const thrown = await client.submitUrls({ urls: urls(3) }).catch((error) => error);
  expect(thrown).toBeInstanceOf(BeckonError);
  expect(thrown).toMatchObject({ code: "insufficient_credits", status: 402, fields: { needed: 3, balance: 2 } });
  expect(thrown.docs).toMatch(/\/docs\/errors\/insufficient_credits$/);
  expect(thrown.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
});

test("a submission whose answer was lost is repeated with the same key, and spends once", async () => {
  const { fetch, sent } = failing("lost");
  const client = await clientOf({ fetch });
  const { credits_spent } = await client.submitUrls({ urls: urls(5) });
  expect(credits_spent).toBe(5);
  expect(sent).toHaveLength(2);
  expect(sent[0]!.key).toBe(sent[1]!.key);
  expect(await client.getAccount()).toMatchObject({ credits: 995 });
});

test("each submission has a key of its own, unless the caller gives one", async () => {
  const { fetch, sent } = failing();
  const client = await clientOf({ fetch });
  await client.submitUrls({ urls: urls(1) });
  await client.submitUrls({ urls: urls(1) });
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  const first = await client.submitUrls({ urls: urls(2) }, { idempotencyKey: "mine" });
  expect(await client.submitUrls({ urls: urls(2) }, { idempotencyKey: "mine" })).toEqual(first);
});

test.each([
  ["rate_limited", refusal(429, "rate_limited")],
  ["unavailable", refusal(503, "unavailable")],
  ["internal", refusal(500, "internal", {})],
  ["idempotency_in_flight", refusal(409, "idempotency_in_flight")],
  ["a page of a proxy", new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Retry-After": "0" } })],
  ["a broken connection", new TypeError("fetch failed")],
])("a submission is repeated after %s", async (_, failure) => {
  const { fetch, sent } = failing(failure);
  const client = await clientOf({ fetch });
  expect(await client.submitUrls({ urls: urls(1) })).toMatchObject({ urls_accepted: 1 });
  expect(sent).toHaveLength(2);
});

test("a change that cannot be recognised as a repetition is repeated only where it was refused", async () => {
  const body = { url: "https://example.com/hook" };
  const broken = failing(new TypeError("fetch failed"));
  await expect((await clientOf({ fetch: broken.fetch })).saveWebhook(body)).rejects.toMatchObject({
    code: "no_answer",
    idempotencyKey: null,
  });
  expect(broken.sent).toHaveLength(1);
  const limited = failing(refusal(429, "rate_limited"), refusal(404, "not_found"));
  const client = await clientOf({ fetch: limited.fetch });
  await expect(client.saveWebhook(body)).rejects.toMatchObject({ code: "not_found" });
  expect(limited.sent).toHaveLength(2);
});

test("other refusals are thrown at once, and so is a wait that is too long", async () => {
  const wrong = failing(refusal(400, "invalid_request"));
  await expect((await clientOf({ fetch: wrong.fetch })).getAccount()).rejects.toMatchObject({ status: 400 });
  const later = failing(refusal(429, "rate_limited", { "Retry-After": "3600" }));
  const client = await clientOf({ fetch: later.fetch });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 3_600 });
  expect([wrong.sent.length, later.sent.length]).toEqual([1, 1]);
});

test("gives up after the retries, and says the last failure", async () => {
  const { fetch, sent } = failing(...[1, 2, 3].map(() => refusal(503, "unavailable")));
  const retried: string[] = [];
  const client = await clientOf({ fetch, retries: 2, onRetry: ({ code }) => retried.push(code) });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "unavailable" });
  expect([sent.length, retried]).toEqual([3, ["unavailable", "unavailable"]]);
});

test("a signal ends a call, and the wait before a retry", async () => {
  const ending = new AbortController();
  const { fetch } = failing(refusal(503, "unavailable", { "Retry-After": "30" }));
  const client = await clientOf({ fetch, onRetry: () => ending.abort(new Error("enough")) });
  await expect(client.submitUrls({ urls: urls(1) }, { signal: ending.signal })).rejects.toThrow("enough");
  await expect(client.getAccount({}, { signal: ending.signal })).rejects.toThrow("enough");
});

test("answers page after page, by offset and by cursor", async () => {
  const client = await clientOf();
  const { project } = await client.submitUrls({ urls: urls(7), drip_days: 3 });
  const seen: string[] = [];
  for await (const { url } of client.each("listLinks", { project_id: project.id, limit: 3 })) seen.push(url);
  expect(seen).toEqual(urls(7));
  for (const other of [1, 2]) await client.submitUrls({ urls: urls(other), drip_days: 3 });
  for await (const { id } of client.each("listProjects")) await client.cancelLinks({ project_id: id });
  const events: string[] = [];
  for await (const { id } of client.each("listEvents", { limit: 2 })) events.push(id);
  expect(events.length).toBeGreaterThan(4);
  expect(new Set(events).size).toBe(events.length);
});

test("streams the links of a project as CSV", async () => {
  const client = await clientOf();
  const { project } = await client.submitUrls({ urls: urls(4) });
  const text = await new Response(await client.linksCsv({ project_id: project.id })).text();
  expect(text.trim().split("\n")).toHaveLength(5);
  expect(text).toContain("https://example.com/3");
  await expect(client.linksCsv({ project_id: "prj_0000000000000" })).rejects.toMatchObject({ code: "not_found" });
});

test("waits until a project is completed, and reports its progress", async () => {
  const client = await clientOf();
  const { project } = await client.submitUrls({ urls: urls(2), drip_days: 3 });
  const progress: string[] = [];
  const onProgress = ({ status }: { status: string }) => {
    progress.push(status);
    if (progress.length === 1) void client.cancelLinks({ project_id: project.id });
  };
  const completed = await client.waitForProject(project.id, { intervalMs: 20, onProgress });
  expect(completed).toMatchObject({ status: "completed", counts: { failed: 2 } });
  expect([progress[0], progress.at(-1)]).toEqual(["active", "completed"]);
  const { project: other } = await client.submitUrls({ urls: urls(1) });
  await expect(client.waitForProject(other.id, { timeoutMs: 1 })).rejects.toMatchObject({ code: "timeout" });
});

test.each([
  ["http://beckon.example", "Use https://beckon.example"],
  ["ftp://beckon.example", "is not the address of a service"],
  ["https://me:secret@beckon.example", "must not contain a user"],
  ["", "is not the address of a service"],
])("the address %j is refused", (url, words) => {
  expect(() => createClient({ url })).toThrow(words);
});

test.each([
  ["beckon.example", "https://beckon.example"],
  ["localhost:8080", "http://localhost:8080"],
  ["https://beckon.example/docs", "https://beckon.example"],
])("the address %j is that of %s", (url, origin) => {
  expect(createClient({ url }).origin).toBe(origin);
});

test("an id that would make another path is refused before anything is sent", async () => {
  const { fetch, sent } = failing();
  const client = await clientOf({ fetch });
  for (const project_id of ["", ".", ".."])
    await expect(client.getProject({ project_id })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(client.getProject({ project_id: "../account" })).rejects.toMatchObject({ code: "not_found" });
  expect(sent).toHaveLength(1);
});

test("what is not a Beckon service is named as such", async () => {
  const page = failing(new Response("<h1>Hello</h1>", { status: 404 }), new Response("[]", { status: 200 }));
  const client = await clientOf({ fetch: page.fetch, retries: 0 });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "not_beckon" });
  await expect(client.getAccount()).rejects.toMatchObject({ code: "not_beckon" });
});
