import { expect, test } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { credential } from "../../../src/platform/config/schemas.ts";
import { SETTINGS, type Setting } from "../../../src/platform/config/settings.ts";
import { createLog } from "../../../src/process/log.ts";

const ROWS: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);

/** Stands in the values below; every character of it is written otherwise by JSON, URLs or forms. */
const AWKWARD = 'q7 "\\/+&=%é(!)';
const PEM = ["MIIEvQIBADANBgkqhkiG9w0BAQEF", "AASCBKcwggSjAgEAAoIBAQC7VJTU"];

type Example = readonly [value: string, ...secrets: string[]];

/** For each setting that holds a secret in a form of its own: a value, and what logs must not show of it. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  DATABASE_URL: ["postgres://beckon:pass%2Fword%20seven@db.example/beckon", "pass%2Fword%20seven", "pass/word seven"],
  GOOGLE_SERVICE_ACCOUNT: [
    JSON.stringify({ private_key: `-----BEGIN PRIVATE KEY-----\n${PEM.join("\n")}\n-----END PRIVATE KEY-----\n` }),
    ...PEM,
  ],
  SECRETS_KEY: [
    `${Buffer.alloc(32, 7).toString("base64")},${Buffer.alloc(32, 8).toString("base64url")}`,
    Buffer.alloc(32, 7).toString("base64"),
    Buffer.alloc(32, 8).toString("base64url"),
  ],
  PROVIDER_URLS: [
    "serper=https://gateway.example/serper/k7Jd02mXq9Lw,serpapi=https://gateway.example/?key=abcdefghijkl%2Fm",
    "k7Jd02mXq9Lw",
    "abcdefghijkl/m",
  ],
  MAIL: ["smtps://mailer:mail%40password7@mail.example:465", "mail%40password7", "mail@password7"],
  STRIPE_SECRET_KEY: ["sk_test_51Hq8tGLkdIwHu7ix", "sk_test_51Hq8tGLkdIwHu7ix"],
  X402_RPC_URL: [
    "https://base.example/v2/8dk29fj2k3l4m5n6?auth=lmnopqrstuvw,opqrstuvwxyz, https://rpc.example/9el30gk3l4m5n6o7",
    "8dk29fj2k3l4m5n6",
    "lmnopqrstuvw,opqrstuvwxyz",
    "9el30gk3l4m5n6o7",
  ],
  X402_FACILITATOR_URL: ["https://key-0123456789@facilitator.example", "key-0123456789"],
  METRICS_TOKEN: ["metrics-token/0123+=", "metrics-token/0123+="],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["https://collector.example/otlp/t0ken-of-traces", "t0ken-of-traces"],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "authorization=Basic%20dXNlcjpwYXNz,x-team=team%2Fsecret%20words",
    "dXNlcjpwYXNz",
    "team%2Fsecret%20words",
    "team/secret words",
  ],
  BECKON_URL: ["https://user:beckon-password@beckon.example", "beckon-password"],
};

const SECRET_ROWS = ROWS.filter(([, { secret }]) => secret !== undefined && secret !== false);

/** Where a setting has no example of its own, its whole value is a secret that may hold any character. */
const CASES = SECRET_ROWS.map(([name]): [string, Example] => {
  const whole = `${name.toLowerCase()} ${AWKWARD}`;
  return [name, EXAMPLES[name] ?? [whole, whole]];
});

const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in capitals": (secret) => secret.toUpperCase(),
  "as JSON": (secret) => JSON.stringify({ value: secret }),
  "as JSON in JSON": (secret) => JSON.stringify({ body: JSON.stringify({ value: secret }) }),
  "in the query of an address": (secret) => `https://api.example/?apikey=${encodeURIComponent(secret)}`,
  "in the query of an address, as RFC 3986 reserves": (secret) =>
    `https://api.example/?apikey=${encodeURIComponent(secret).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
  "in a form": (secret) => new URLSearchParams({ api_key: secret }).toString(),
};

test("law: every setting that is partly secret has an example, and no other setting has one", () => {
  const names = SECRET_ROWS.map(([name]) => name);
  const inPart = SECRET_ROWS.filter(([, { secret }]) => secret !== true).map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(EXAMPLES)));
  expect(Object.keys(EXAMPLES)).toEqual(expect.arrayContaining(inPart));
});

test.each(CASES)("no log line holds the secret of %s, in whatever form it is written", (name, [value, ...secrets]) => {
  // Half of a payment configuration is refused; this is about what was set, not whether it is enough.
  const { secrets: found } = readConfig({ ...companions(name), [name]: value });
  for (const secret of secrets) {
    for (const [form, write] of Object.entries(FORMS)) {
      const lines: string[] = [];
      const log = createLog({ logLevel: "info", secrets: found }, (line) => void lines.push(line));
      log.info({ text: `before ${write(secret)} after` }, "example");
      const { text } = JSON.parse(lines[0]!);
      expect(text, form).toContain("[redacted]");
      for (const one of [write(secret), secret]) expect(text, form).not.toContain(one);
      expect(text, form).toMatch(/^before .*after$/s);
    }
  }
});

/** Settings without which one is refused. */
function companions(name: string): Record<string, string> {
  if (name === "STRIPE_SECRET_KEY") return { STRIPE_WEBHOOK_SECRET: "whsec_x" };
  if (name === "OIDC_CLIENT_SECRET") return { OIDC_ISSUER: "https://login.example", OIDC_CLIENT_ID: "beckon" };
  if (name === "GOOGLE_CLIENT_SECRET") return { GOOGLE_CLIENT_ID: "beckon" };
  if (name.startsWith("DATAFORSEO_")) return { DATAFORSEO_LOGIN: "beckon", DATAFORSEO_PASSWORD: "password" };
  if (!name.startsWith("X402_")) return {};
  const address = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  const chain = { X402_NETWORK: "eip155:84532", X402_ASSET: address, X402_PAY_TO: address };
  return { ...chain, X402_RPC_URL: "https://rpc.example", X402_FACILITATOR_URL: "https://facilitator.example" };
}

test("names of providers and APIs in a URL are not secrets", () => {
  const { secrets } = readConfig({ PROVIDER_URLS: "search_console=http://127.0.0.1:4010/search_console/webmasters" });
  expect(secrets).toEqual([]);
});

test("settings that are not set have no secrets", () => {
  expect(readConfig({}).secrets).toEqual([]);
  expect(readConfig({ SERPER_KEY: " ", DATABASE_URL: "file:./a.db", MAIL: "console" }).secrets).toEqual([]);
});

/** Names of settings that make one expect a secret. */
const SOUNDS_SECRET = /KEY|SECRET|PASSWORD|TOKEN|LOGIN|HEADERS|ACCOUNT|URL|ENDPOINT/;

test.each(ROWS)(
  "law: %s says whether it is secret, since its name suggests that it may be",
  (name, { schema, secret }) => {
    const isAsked = schema === credential || SOUNDS_SECRET.test(name);
    expect(
      !isAsked || secret !== undefined,
      `Say in the row of ${name} in src/platform/config/settings.ts what logs must not show: secret: true for the whole value, a finder of secrets.ts for a part of it, or false`,
    ).toBe(true);
  },
);
