import { expect, test } from "vitest";
import { MAX_WRONG_CODES } from "../../../../src/domain/agents/user-code.ts";
import { SCOPES } from "../../../../src/platform/principal.ts";
import { authDocument } from "../../../../src/surfaces/docs/auth.ts";
import { GRANT_TYPES } from "../../../../src/surfaces/oauth/metadata.ts";
import { Agent, allowAgent } from "../../../support/oauth/agent.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

const service = eachTest(testService);

const fetched = async () => {
  const response = await fetch(`${service.url}/auth.md`);
  return { response, text: await response.text() };
};
const here = (address: string) => address.replace(service.config.siteUrl, service.url);

test("200: Markdown, readable from any origin, at the address in the metadata", async () => {
  const { response, text } = await fetched();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(text).toBe(authDocument(service.config).markdown);
  const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
  const { agent_auth } = (await metadata.json()) as { agent_auth: { skill: string } };
  expect(agent_auth.skill).toBe(`${service.config.siteUrl}/auth.md`);
});

test("law: it has the sections of auth.md, and every scope, agent grant type and limit", async () => {
  const { text } = await fetched();
  const headings = text.split("\n").filter((line) => line.startsWith("## "));
  const sections =
    "1. Discover, 2. Choose a method, 3. Register, 4. Have your user claim you, 5. Use the token, 6. Renew";
  expect(headings).toEqual(
    [...sections.split(", "), "Errors", "Limits", "Revocation", "Contact"].map((one) => `## ${one}`),
  );
  for (const scope of SCOPES) expect(text).toContain(`| \`${scope}\` |`);
  for (const type of GRANT_TYPES.slice(2)) expect(text).toContain(`grant_type=${type}`);
  expect(text).toContain(`${MAX_WRONG_CODES} wrong codes`);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

test("law: every address in it answers, and every error code has a page", async () => {
  const { text } = await fetched();
  const addresses = new Set(text.match(/http:\/\/beckon\.test[^\s"'`)|>]*/g)!.map((one) => one.replace(/[.,]$/, "")));
  addresses.delete("http://beckon.test/claim?attempt=cat_…");
  expect(addresses.size).toBeGreaterThan(12);
  for (const address of addresses) {
    const { status } = await fetch(here(address), { redirect: "manual" });
    // Some want a POST, a credential or a user; only an address that is nowhere is wrong.
    const isFolder = /\/api\/(agent\/|v1)$/.test(address);
    expect(isFolder || status !== 404, `${address}: ${status}`).toBe(true);
  }
  const codes = [...text.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect((await fetch(`${service.url}/docs/errors/${code}`)).status, code).toBe(200);
});

test("law: an agent that sends what the page shows gets a token", async () => {
  const { text } = await fetched();
  const [, body] = /-d '(\{"type":"service_auth".*\})'/.exec(text)!;
  const agent = new Agent(service);
  const { user, email } = await signedIn(service, { email: "person@example.com" });
  expect(JSON.parse(body!).login_hint).toBe(email);
  const registered = await agent.json("/api/agent/identity", JSON.parse(body!));
  const [shownAfterRegistering, shownAfterClaim] = [...text.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json]) =>
    JSON.parse(json!),
  );
  expect(Object.keys(registered.body)).toEqual(Object.keys(shownAfterRegistering));
  expect(Object.keys(registered.body.claim)).toEqual(Object.keys(shownAfterRegistering.claim));
  await allowAgent(user, registered.body, { scope: ["read", "index"] });
  const tokens = await agent.poll(registered.body.claim_token);
  expect(Object.keys(tokens.body)).toEqual(Object.keys(shownAfterClaim));
  expect(tokens.body.scope).toBe(shownAfterClaim.scope);
});
