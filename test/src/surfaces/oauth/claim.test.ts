import { beforeEach, expect, test } from "vitest";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { Agent, allowAgent, type OAuthResponse } from "../../../support/oauth/agent.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

const service = eachTest(testService);
let agent: Agent;
beforeEach(async () => {
  agent = new Agent(service);
});

const codeOf = ({ status, body }: OAuthResponse) => [status, body.error?.code];

test("200: a new code and link, each under two names; the previous code and link become void", async () => {
  const { user, email } = await signedIn(service);
  const { body: first } = await agent.register(email);
  service.clock.pass(11 * MINUTE);
  const { status, headers, body } = await agent.reissue(first.claim_token);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    registration_id: first.registration_id,
    claim_attempt_id: expect.stringMatching(/^cla_[0-9a-f]{20}$/),
    status: "initiated",
    expires_at: new Date(service.clock.now() + 10 * MINUTE).toISOString(),
    claim_attempt: {
      user_code: expect.stringMatching(/^[A-Z0-9]{6}$/),
      expires_in: 600,
      verification_uri: expect.stringMatching(/\/claim\?attempt=cat_[\w-]{43}$/),
      interval: 5,
    },
    claim: body.claim_attempt,
  });
  expect(body.claim.verification_uri).not.toBe(first.claim.verification_uri);
  expect((await user.get(first.claim.verification_uri)).status).toBe(410);
  await allowAgent(user, body);
  expect((await agent.poll(first.claim_token)).status).toBe(200);
});

test("200: the members that auth.md lets an agent repeat are accepted, in any spelling of the address", async () => {
  const { claim_token } = (await agent.register("person@example.com")).body;
  const more = { type: "login_hint", login_hint: " PERSON@example.com" };
  expect((await agent.reissue(claim_token, more)).status).toBe(200);
  expect((await agent.reissue(claim_token, { type: "service_auth" })).status).toBe(200);
});

test("400 invalid_request: without claim_token, with another address, or with another type", async () => {
  const { claim_token } = (await agent.register("person@example.com")).body;
  const wrong = [
    { claim_token: undefined },
    { claim_token: 7 },
    { login_hint: "other@example.com" },
    { login_hint: "x" },
    { type: "anonymous" },
  ];
  for (const more of wrong) expect(codeOf(await agent.reissue(claim_token, more))).toEqual([400, "invalid_request"]);
});

test("400 invalid_claim_token: the token is unknown, of another kind, or withdrawn", async () => {
  const { claim_token, claim } = (await agent.register("person@example.com")).body;
  const attempt = new URL(claim.verification_uri).searchParams.get("attempt")!;
  for (const token of [`clm_${"a".repeat(43)}`, "clm_", attempt])
    expect(codeOf(await agent.reissue(token))).toEqual([400, "invalid_claim_token"]);
  await agent.revoke(claim_token);
  expect(codeOf(await agent.reissue(claim_token))).toEqual([400, "invalid_claim_token"]);
});

test("409 claimed_or_in_flight: the registration is claimed, declined or locked, also after a day", async () => {
  const { user, email } = await signedIn(service);
  const [claimed, declined, locked] = [
    (await agent.register(email)).body,
    (await agent.register(email)).body,
    (await agent.register(email)).body,
  ];
  await allowAgent(user, claimed);
  await allowAgent(user, declined, { decision: "decline" });
  for (let i = 0; i < 5; i++) await allowAgent(user, locked, { user_code: "000000" });
  for (const { claim_token } of [claimed, declined, locked])
    expect(codeOf(await agent.reissue(claim_token))).toEqual([409, "claimed_or_in_flight"]);
  service.clock.pass(DAY);
  expect(codeOf(await agent.reissue(claimed.claim_token))).toEqual([409, "claimed_or_in_flight"]);
});

test("410 claim_expired: 24 hours after the registration", async () => {
  const { claim_token } = (await agent.register("person@example.com")).body;
  service.clock.pass(DAY - 1000);
  expect((await agent.reissue(claim_token)).body.claim.expires_in).toBe(1);
  service.clock.pass(1000);
  expect(codeOf(await agent.reissue(claim_token))).toEqual([410, "claim_expired"]);
});

test("429: guessing claim tokens counts as requests without a credential", async () => {
  for (let i = 0; i < 60; i++) await agent.reissue(`clm_${"a".repeat(43)}`);
  expect(codeOf(await agent.reissue(`clm_${"a".repeat(43)}`))).toEqual([429, "rate_limited"]);
});
