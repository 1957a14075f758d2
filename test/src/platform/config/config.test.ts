import { describe, expect, test } from "vitest";
import { readConfig, SETTINGS } from "../../../../src/platform/config/config.ts";

const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER_KEY = Buffer.alloc(32, 8).toString("base64url");

const LIVE = {
  ENGINES: "live",
  SITE_URL: "https://beckon.example",
  MAIL: "smtps://mail.example",
  SECRETS_KEY,
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
};

describe("sandbox and live never mix: each refusal names the setting", () => {
  test.each([
    ["SITE_URL", { ...LIVE, SITE_URL: "" }],
    ["MAIL", { ...LIVE, MAIL: "console" }],
    ["MAIL", { ...LIVE, MAIL: "" }],
    ["SITE_URL", { ...LIVE, SITE_URL: "http://beckon.example" }],
    ["TIME_SCALE", { ...LIVE, TIME_SCALE: "60" }],
    ["SECRETS_KEY", { ...LIVE, SECRETS_KEY: "" }],
    ["SANDBOX_FAULTS", { ...LIVE, SANDBOX_FAULTS: "quota" }],
    ["BECKON_ALLOW_SANDBOX", { BECKON_ALLOW_SANDBOX: "payment" }],
  ])("%s in %j", (name, env) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^Settings that contradict each other:\\n {2}${name}: .{20,}$`));
  });

  test("staging may print its mail", () => {
    const env = { ...LIVE, MAIL: "", BECKON_ALLOW_SANDBOX: "mail" };
    expect(readConfig(env)).toMatchObject({ mode: "live", mail: "console" });
  });

  test("staging may run on its own time", () => {
    const env = { ...LIVE, TIME_SCALE: "60", BECKON_ALLOW_SANDBOX: "clock,payment" };
    expect(readConfig(env)).toMatchObject({ mode: "live", timeScale: 60, allowSandbox: ["clock", "payment"] });
  });
});

describe("SECRETS_KEY", () => {
  test("one key, or two while it is rotated, in base64 or base64url", () => {
    expect(readConfig({ ...LIVE, SECRETS_KEY: `${SECRETS_KEY}, ${OTHER_KEY}` }).secretsKeys).toEqual([
      SECRETS_KEY,
      OTHER_KEY,
    ]);
  });

  test.each([
    "short",
    SECRETS_KEY.slice(4),
    `${SECRETS_KEY}AAAA`,
    `${SECRETS_KEY},${Buffer.alloc(32, 7).toString("base64url")}`,
    [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString("base64")).join(","),
  ])("%j is refused", (text) => {
    expect(() => readConfig({ SECRETS_KEY: text })).toThrow(/SECRETS_KEY: must/);
  });
});

describe("engines", () => {
  test.each([
    [{}, "sandbox", ["sandbox"], false],
    [LIVE, "live", ["live"], true],
    [
      { ...LIVE, ENGINES: " serper , speedyindex ", SERPER_KEY: "k", SPEEDYINDEX_KEY: "k" },
      "live",
      ["serper", "speedyindex"],
      true,
    ],
    [{ ...LIVE, PREFLIGHT: "off" }, "live", ["live"], false],
    [{ PREFLIGHT: "on" }, "sandbox", ["sandbox"], false],
  ])("%j: mode %s of %j, preflight %s", (env, mode, engines, preflight) => {
    expect(readConfig(env)).toMatchObject({ mode, engines, preflight });
  });

  test("settings with a list of NAME=VALUE are parsed", () => {
    const env = {
      PROVIDER_BUDGETS: "serper=5000, speedyindex=0",
      PROVIDER_PRICES: "serper=0.0003",
      PROVIDER_URLS: "serper=http://127.0.0.1:4010/serper/",
    };
    expect(readConfig(env).providers).toMatchObject({
      budgets: { serper: 5_000, speedyindex: 0 },
      prices: { serper: 0.0003 },
      urls: { serper: "http://127.0.0.1:4010/serper" },
    });
  });
});

test.each([
  ["PROVIDER_BUDGETS", "serper"],
  ["PROVIDER_BUDGETS", "serper=-1"],
  ["PROVIDER_BUDGETS", "serper=1.5"],
  ["PROVIDER_BUDGETS", "serper="],
  ["PROVIDER_PRICES", "serper= "],
  ["PROVIDER_PRICES", "serper=cheap"],
  ["PROVIDER_URLS", "serper=ftp://x"],
  ["FETCH_ALLOW_PORTS", "http"],
  ["FETCH_ALLOW_CIDRS", "10.0.0.0/99"],
  ["FETCH_ALLOW_CIDRS", "10.0.0.0/8,localhost"],
  ["SANDBOX_FAULTS", "zzz"],
  ["SANDBOX_FAULTS", "quota,constructor"],
  ["SANDBOX_FAULTS", "outage@96-24"],
  ["FETCH_ALLOW_PORTS", "70000"],
  ["CANARY_URLS", "wikipedia"],
  ["CANARY_URLS", ","],
  ["PREFLIGHT", "yes"],
  ["CONTACT", "me\r\nX-Header: 1"],
  ["BECKON_ALLOW_SANDBOX", "everything"],
  ["MAIL", "sendmail"],
  ["MAIL", "file:"],
  ["MAIL_FROM", "a"],
  ["CLIENT_DOCUMENTS", "1"],
  ["REFRESH_OVERLAP_SECONDS", "61"],
  ["REFRESH_OVERLAP_SECONDS", "-1"],
  ["REFRESH_OVERLAP_SECONDS", "1.5"],
])("%s=%j is refused by its name", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Invalid settings:\\n {2}${name}: `));
});

test.each(["", " "])("a setting that is %j counts as not set, whichever it is", (nothing) => {
  const env = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, nothing]));
  expect(readConfig(env)).toEqual(readConfig({}));
  expect(readConfig(env).databaseUrl).toBe("file:./data/beckon.db");
});

test.each(Object.entries(SETTINGS))("law: %s is refused in our words, which say what it must be", (_, { schema }) => {
  const anything = ["?!", "-1", "1e99", "1.5", "x".repeat(400), "a=b", "a,b", "ftp://x", "two words", "postgres://h"];
  for (const value of anything) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) expect(parsed.error.issues[0]!.message).toMatch(/^(?:must be|must have|must name|names no) /);
  }
});

test.each([
  ["ROLE", "reader", "must be one of both, serve, work"],
  ["TRUST_PROXY", "yes", "must be a whole number from 0 to 10"],
  ["TRUST_PROXY", "11", "must be a whole number from 0 to 10"],
  ["PORT", "http", "must be a whole number from 0 to 65535"],
  ["SITE_URL", "beckon.example", "must be an http or https address"],
])("%s=%s: the error lists the possible values", (name, value, words) => {
  expect(() => readConfig({ [name]: value })).toThrow(`Invalid settings:\n  ${name}: ${words}`);
});

describe("DATABASE_URL", () => {
  test.each([
    ["data/beckon.db", /must be file:PATH or postgres:/],
    ["mysql://root:hunter2@db/beckon", /must be file:PATH or postgres:/],
    ["file:", /needs a path/],
    ["postgres://beckon:hunter2@db:port/beckon", /cannot be read/],
    ["postgres://beckon:hunt%er2@db/beckon", /cannot be read/],
    ["postgres://beckon:hunt/er2@db/beckon", /cannot be read|names no database/],
    ["postgres://beckon:hunt#er2@db/beckon", /%23/],
    ["postgres:///beckon", /names no host/],
    ["postgres://beckon:hunter2@db", /names no database/],
    ["postgres://beckon:hunter2@db/", /names no database/],
  ])("%s is refused when the settings are read, and the error does not repeat it", (url, reason) => {
    const read = () => readConfig({ DATABASE_URL: url });
    expect(read).toThrow(reason);
    expect(read).toThrow(/^Invalid settings:\n {2}DATABASE_URL: (?!.*(?:hunt|er2))/);
  });

  test.each([
    "file:./data/beckon.db",
    "postgres://beckon@db/beckon",
    "postgresql://beckon:hunter%402@[::1]:5433/beckon?sslmode=require",
  ])("%s is kept unchanged", (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe("the settings of a node among several", () => {
  test("the defaults are every role, host name and process id as its name, and no traces", () => {
    const { role, nodeName, databasePool, drainMs, metricsToken, tracing } = readConfig({});
    expect({ role, databasePool, drainMs, metricsToken, tracing }).toEqual({
      role: "both",
      databasePool: 10,
      drainMs: 0,
      metricsToken: undefined,
      tracing: undefined,
    });
    expect(nodeName).toMatch(new RegExp(`^[^:]+:${process.pid}$`));
  });

  test.each([
    [{ ROLE: "reader" }, "ROLE"],
    [{ DATABASE_POOL: "1" }, "DATABASE_POOL"],
    [{ NODE_NAME: "two words" }, "NODE_NAME"],
    [{ DRAIN_SECONDS: "-1" }, "DRAIN_SECONDS"],
    [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
    [{ OTEL_TRACES_SAMPLER: "sometimes" }, "OTEL_TRACES_SAMPLER"],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG"],
  ])("%j is refused", (env, name) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^Invalid settings:\\n {2}${name}: `));
  });

  test("traces are sent where OpenTelemetry's own settings say", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/", OTEL_SERVICE_NAME: "indexing" };
    const tracing = { endpoint: "http://127.0.0.1:4318", serviceName: "indexing" };
    expect(readConfig(env).tracing).toEqual({ ...tracing, sampler: "parentbased_always_on", sampledShare: 1 });
    const sampled = { ...env, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" };
    expect(readConfig(sampled).tracing).toEqual({ ...tracing, sampler: "traceidratio", sampledShare: 0.25 });
  });
});

test.each([
  ["CONTACT", { CONTACT: "sk_live_4eC39HqLyjWDarjtT1zdp7dc" }],
  ["SELLER", { SELLER: "Example Ltd | bk_live_0123456789" }],
  ["SUPPORT_URL", { SUPPORT_URL: "https://example.com/?key=whsec_12345678" }],
  ["MAIL_FROM", { MAIL_FROM: `0x${"a1".repeat(32)}` }],
  ["PRIVACY_URL", { PRIVACY_URL: "https://example.com/k-serper-9f31c0", SERPER_KEY: "k-serper-9f31c0" }],
])("a secret in %s, which everybody reads, is refused, and not repeated", (name, env) => {
  let message = "";
  try {
    readConfig(env);
  } catch (thrown) {
    message = (thrown as Error).message;
  }
  expect(message).toContain(`${name}: is published, and holds what looks like a secret`);
  for (const value of Object.values(env)) expect(message).not.toContain(value);
});

test("a key in place of the signing secret of webhooks is refused, and not repeated", () => {
  const read = () => readConfig({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "sk_test_12345678" });
  expect(read).toThrow("STRIPE_WEBHOOK_SECRET: must be the signing secret of the endpoint, not a key");
  expect(read).not.toThrow("12345678");
});

test.each([
  ["SERPER_KYE", "SERPER_KEY"],
  ["SERPER_API_KEY", "SERPER_KEY"],
  ["SERP_API_KEY", "SERPAPI_KEY"],
  ["STRIPE_SECRET_KY", "STRIPE_SECRET_KEY"],
  ["PAYMENT", "PAYMENTS"],
  ["SINGUP", "SIGNUP"],
  ["Sign_Up", "SIGNUP"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["X402_NETWROK", "X402_NETWORK"],
  ["MAIL_FORM", "MAIL_FROM"],
  ["TRUST_PROXIES", "TRUST_PROXY"],
])("%s is probably %s", (written, meant) => {
  expect(readConfig({ [written]: "open" }).misspelt).toEqual([{ written, meant }]);
  expect(readConfig({ [written]: " " }).misspelt).toEqual([]);
});

test.each([
  "HOSTNAME",
  "MAILTO",
  "MAILCHECK",
  "LOGNAME",
  "NODE_ENV",
  "NODE_OPTIONS",
  "HTTP_PROXY",
  "TERM",
  "PACKER",
  "HOME",
])("%s belongs to another program", (name) => expect(readConfig({ [name]: "x" }).misspelt).toEqual([]));
