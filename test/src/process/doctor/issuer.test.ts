import { beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkIssuer } from "../../../../src/process/doctor/issuer.ts";
import { scriptedIssuer } from "../../../support/issuer/scripted-issuer.ts";

const remote = await scriptedIssuer(() => Date.now());
const config = readConfig({ OIDC_ISSUER: remote.url, OIDC_CLIENT_ID: "beckon", OIDC_NAME: "Staff" });
const check = async () => (await checkIssuer(config))[0];
const CONFIGURATION = "/.well-known/openid-configuration";

beforeEach(() => {
  Object.assign(remote, { metadata: {}, replies: {}, date: undefined });
});

test("nothing without an issuer", async () => {
  expect(await checkIssuer(readConfig({}))).toEqual([]);
});

test("in order: the issuer answers, has keys, and agrees about the time", async () => {
  expect(await check()).toEqual({
    name: "Issuer",
    ok: true,
    found: "Staff answers with its configuration and 1 key, and the clocks agree",
  });
});

test.each<[string, Partial<typeof remote>, RegExp]>([
  ["it does not answer", { replies: { [CONFIGURATION]: "nothing" } }, /DNS, firewall/],
  ["it answers with an error", { replies: { [CONFIGURATION]: { status: 503, body: "" } } }, /status page/],
  ["something else answers", { replies: { [CONFIGURATION]: { body: "<html>", type: "text/html" } } }, /to the letter/],
  ["it names itself otherwise", { metadata: { issuer: "https://other.example" } }, /to the letter/],
  ["there is no such address", { replies: { [CONFIGURATION]: { status: 404, body: {} } } }, /to the letter/],
  ["it publishes no key that signs", { replies: { "/jwks": { body: { keys: [] } } } }, /RS256/],
  ["its keys are no JSON", { replies: { "/jwks": { body: "<html>", type: "text/html" } } }, /to the letter/],
  ["its clock is behind", { date: new Date(Date.now() - 120_000) }, /NTP/],
  ["its clock is ahead", { date: new Date(Date.now() + 120_000) }, /NTP/],
])("not in order, with what to do: %s", async (_, changes, remedy) => {
  Object.assign(remote, changes);
  const found = (await check())!;
  expect([found.ok, found.remedy]).toEqual([false, expect.stringMatching(remedy)]);
});
