import { expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";

const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
const LIVE = { ENGINES: "live", SITE_URL: "https://beckon.example", MAIL: "smtps://mail.example", SECRETS_KEY };
const OIDC = { OIDC_ISSUER: "https://login.example/", OIDC_CLIENT_ID: "beckon" };

test("an issuer is named to the letter, and by its host where it has no name", () => {
  const { issuer, localSignIn, secrets } = readConfig({ ...OIDC, OIDC_CLIENT_SECRET: "s3cret" });
  expect(issuer).toEqual({
    url: "https://login.example/",
    clientId: "beckon",
    clientSecret: "s3cret",
    name: "login.example",
  });
  expect([localSignIn, secrets.includes("s3cret")]).toEqual([true, true]);
  expect(readConfig({ ...OIDC, OIDC_NAME: " Staff ", LOCAL_SIGN_IN: "off" })).toMatchObject({
    localSignIn: false,
    issuer: { name: "Staff", clientSecret: undefined },
  });
  expect(readConfig({}).issuer).toBeUndefined();
});

test.each<[string, Record<string, string>]>([
  ["OIDC_ISSUER", { OIDC_ISSUER: "https://login.example" }],
  ["OIDC_ISSUER", { ...OIDC, OIDC_ISSUER: "login.example" }],
  ["OIDC_ISSUER", { ...OIDC, OIDC_ISSUER: "https://login.example/?tenant=1" }],
  ["OIDC_ISSUER", { ...OIDC, OIDC_ISSUER: "https://user:password@login.example" }],
  ["OIDC_ISSUER", { ...OIDC, OIDC_ISSUER: "http://login.example" }],
  ["OIDC_ISSUER", { ...LIVE, ...OIDC, OIDC_ISSUER: "http://127.0.0.1:9000" }],
  ["OIDC_CLIENT_ID", { OIDC_CLIENT_ID: "beckon" }],
  ["OIDC_CLIENT_SECRET", { OIDC_CLIENT_SECRET: "s3cret" }],
  ["OIDC_NAME", { OIDC_NAME: "Staff" }],
  ["OIDC_NAME", { ...OIDC, OIDC_NAME: "St\u202eaff" }],
  ["OIDC_NAME", { ...OIDC, OIDC_NAME: "x".repeat(41) }],
  ["LOCAL_SIGN_IN", { LOCAL_SIGN_IN: "off" }],
])("refused, naming %s: %j", (setting, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`${setting}: `));
});

test("a sandbox may use an issuer on this machine without TLS", () => {
  expect(readConfig({ ...OIDC, OIDC_ISSUER: "http://localhost:9000" }).issuer?.url).toBe("http://localhost:9000");
});
