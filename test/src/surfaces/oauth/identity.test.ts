import { beforeEach, expect, test } from "vitest";
import { HOUR } from "../../../../src/platform/clock.ts";
import { Agent } from "../../../support/oauth/agent.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

const service = eachTest(testService);
let agent: Agent;
beforeEach(async () => {
  agent = new Agent(service);
});

const EMAIL = "person@example.com";

test("200: the answer has exactly the fields of the specification, in their format", async () => {
  const { status, headers, body } = await agent.register(EMAIL, { scope: "index read" });
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.getSetCookie()).toEqual([]);
  const { siteUrl } = service.config;
  expect(body).toEqual({
    registration_id: expect.stringMatching(/^reg_[0-9a-z]{20}$/),
    registration_type: "service_auth",
    claim_url: `${siteUrl}/api/agent/identity/claim`,
    claim_token: expect.stringMatching(/^clm_[\w-]{43}$/),
    claim_token_expires: new Date(service.clock.now() + 24 * HOUR).toISOString(),
    post_claim_scopes: ["read", "index"],
    claim: {
      user_code: expect.stringMatching(/^[A-Z0-9]{6}$/),
      expires_in: 600,
      verification_uri: expect.stringMatching(/^http:\/\/beckon\.test\/claim\?attempt=cat_[\w-]{43}$/),
      interval: 5,
    },
  });
  expect(body.claim.verification_uri).not.toContain(body.claim.user_code);
  expect(body.claim.verification_uri).not.toContain(body.claim_token);
  expect(service.outbox).toEqual([]);
});

test("200: the answer is the same whether the address has an account or not, and no mail is sent", async () => {
  const { email } = await signedIn(service);
  const shapes = [];
  for (const one of [email, "nobody@example.com"]) {
    const { status, headers, body } = await agent.register(one);
    const names = [...headers.keys()].filter((name) => name !== "date").sort();
    shapes.push({
      status,
      names,
      keys: Object.keys(body),
      claim: Object.keys(body.claim),
      scopes: body.post_claim_scopes,
    });
  }
  expect(shapes[0]).toEqual(shapes[1]);
  expect(service.outbox).toEqual([]);
});

test.each([
  [{ type: "anonymous" }, 400, "anonymous_not_enabled"],
  [{ type: "identity_assertion", assertion: "a.b.c" }, 400, "issuer_not_enabled"],
  [{ type: "verified_email" }, 400, "issuer_not_enabled"],
  [{ type: undefined }, 400, "invalid_request"],
  [{ type: "Service_Auth" }, 400, "invalid_request"],
  [{ type: ["service_auth"] }, 400, "invalid_request"],
  [{ type: "__proto__" }, 400, "invalid_request"],
  [{ login_hint: undefined }, 400, "invalid_request"],
  [{ login_hint: null }, 400, "invalid_request"],
  [{ login_hint: "person" }, 400, "invalid_request"],
  [{ login_hint: "a@example.com, b@example.com" }, 400, "invalid_request"],
  [{ login_hint: "a@example.com\nBcc: b@example.com" }, 400, "invalid_request"],
  [{ login_hint: [EMAIL] }, 400, "invalid_request"],
  [{ agent_name: 7 }, 400, "invalid_request"],
  [{ agent_name: "n".repeat(81) }, 400, "invalid_request"],
  [{ scope: "write admin" }, 400, "invalid_request"],
  [{ scope: "" }, 400, "invalid_request"],
  [{ scope: ["read"] }, 400, "invalid_request"],
])("refused: %j is %i %s", async (more, status, code) => {
  const response = await agent.register(EMAIL, more);
  expect([response.status, response.body.error?.code]).toEqual([status, code]);
  const docs = await fetch(response.body.error.docs.replace(service.config.siteUrl, service.url));
  expect(docs.status).toBe(200);
  expect(await service.db.q.select().from(service.db.t.registrations)).toEqual([]);
});

test("refused: a body that is not a JSON object or not JSON, and any method but POST", async () => {
  const send = (init: RequestInit) =>
    fetch(`${service.url}/api/agent/identity`, init).then(async (r) => [
      r.status,
      ((await r.json()) as { error: { code: string } }).error.code,
    ]);
  const json = { "Content-Type": "application/json" };
  expect(await send({ method: "POST", headers: json, body: "[]" })).toEqual([400, "invalid_request"]);
  expect(await send({ method: "POST", headers: json, body: "{" })).toEqual([400, "invalid_request"]);
  expect(await send({ method: "POST", body: "type=service_auth" })).toEqual([415, "unsupported_media_type"]);
  expect(await send({})).toEqual([405, "method_not_allowed"]);
});

test("unknown scopes are ignored; without scope all are requested", async () => {
  const scopesOf = async (more: object) => (await agent.register(EMAIL, more)).body.post_claim_scopes;
  expect(await scopesOf({ scope: "offline_access purchase openid" })).toEqual(["purchase"]);
  expect(await scopesOf({})).toEqual(["read", "index", "purchase"]);
});

test.each([
  [undefined, "Agent"],
  ["", "Agent"],
  [" \u200b\u202e\u0000 ", "Agent"],
  ["Evil\u202etnega\u2066", "Eviltnega"],
  ["Two\r\nlines\u2028of  it", "Two lines of it"],
  ["\u3164\u115fA\u00ad\u034fB\ufeff", "AB"],
  ["n".repeat(80), "n".repeat(80)],
  ["🦊".repeat(80), "🦊".repeat(80)],
  ["half \ud83e of it", "half of it"],
  ["<b>Zoë's & co</b>", "<b>Zoë's & co</b>"],
])("the agent name %j is stored as %j", async (name, kept) => {
  expect((await agent.register(EMAIL, { agent_name: name })).status).toBe(200);
  const [row] = await service.db.q.select().from(service.db.t.registrations);
  expect(row!.agentName).toBe(kept);
});

test("an e-mail address is the same in every spelling", async () => {
  await agent.register("  Person@EXAMPLE.com ");
  await agent.register("person@bücher.example");
  const rows = await service.db.q.select().from(service.db.t.registrations);
  expect(rows.map(({ email }) => email).sort()).toEqual([EMAIL, "person@xn--bcher-kva.example"].sort());
});

test("429: after ten valid requests in an hour from one IP address; X-Forwarded-For is not trusted", async () => {
  for (let i = 0; i < 5; i++) await agent.register("nobody");
  for (let i = 0; i < 10; i++) {
    const spoofing = new Agent(service, { "X-Forwarded-For": `203.0.113.${i}` });
    expect((await spoofing.register(`n${i}@example.com`)).status).toBe(200);
  }
  const spoofing = new Agent(service, { "X-Forwarded-For": "203.0.113.99", Forwarded: "for=203.0.113.99" });
  const { status, headers, body } = await spoofing.register(EMAIL);
  expect([status, body.error.code]).toEqual([429, "rate_limited"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  service.clock.pass(HOUR);
  expect((await agent.register(EMAIL)).status).toBe(200);
});

test("law: registrations that name somebody, from whatever networks, leave the agent of that user alone", async () => {
  const proxied = await testService({ config: { trustProxy: 1 } });
  const from = (ip: string) => new Agent(proxied, { "X-Forwarded-For": ip }).register(EMAIL);
  for (let network = 0; network < 5; network++) {
    for (let i = 0; i < 10; i++) expect((await from(`198.51.100.${network}`)).status).toBe(200);
    expect((await from(`198.51.100.${network}`)).status).toBe(429);
  }
  expect((await from("203.0.113.1")).status).toBe(200);
  await proxied.close();
});

test("429: behind a trusted proxy the address that the proxy saw counts, and none further left", async () => {
  const proxied = await testService({ config: { trustProxy: 1 } });
  try {
    const from = (forwarded: string) => new Agent(proxied, { "X-Forwarded-For": forwarded }).register(EMAIL);
    for (let i = 0; i < 10; i++) expect((await from(`203.0.113.${i}, 198.51.100.1`)).status).toBe(200);
    expect((await from("203.0.113.99, 198.51.100.1")).status).toBe(429);
    expect((await from("198.51.100.2")).status).toBe(200);
  } finally {
    await proxied.close();
  }
});
