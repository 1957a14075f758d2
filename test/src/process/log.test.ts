import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createLog } from "../../../src/process/log.ts";
import { cpuClock } from "../../support/checks/cpu-time.ts";

const KEY = "bk_test_0123456789abcdefghijklmnop";
const HASH = `0x${"9f1d22c3".repeat(8)}`;
const SIGNATURE = `0x${"5a".repeat(65)}`;
const WEBHOOK = "whsec_Zm9vYmFyYmF6cXV4";
const PAYMENT = { x402Version: 2, payload: { signature: SIGNATURE, authorization: { from: HASH.slice(0, 42) } } };

const config = readConfig({
  STRIPE_SECRET_KEY: "sk_test_51Hq8tGLkdIwHu7ix",
  STRIPE_WEBHOOK_SECRET: WEBHOOK,
  X402_NETWORK: "eip155:84532",
  X402_ASSET: HASH.slice(0, 42),
  X402_PAY_TO: HASH.slice(0, 42),
  X402_RPC_URL: "https://base-sepolia.rpc.test/v2/8dk29fj2k3l4m5n6",
  X402_FACILITATOR_URL: "https://facilitator.test",
  DATABASE_URL: "postgres://beckon:correct%20horse%20battery@db.example/beckon",
  METRICS_TOKEN: "metrics-token-0123",
});

function linesOf(
  write: (log: ReturnType<typeof createLog>) => void,
  settings: Parameters<typeof createLog>[0] = config,
): string[] {
  const lines: string[] = [];
  write(createLog(settings, (line) => void lines.push(line)));
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("msg");
  return lines;
}

test("a long line is searched for secrets in linear time", () => {
  const cpuMs = cpuClock();
  linesOf((log) => log.error({ err: new Error("a.".repeat(100_000)) }, "failed"));
  expect(cpuMs()).toBeLessThan(2_000);
});

test("a log line holds no secret, in whichever field it was", () => {
  const lines = linesOf((log) => {
    log.info(
      { headers: { authorization: `Bearer ${KEY}`, "x-api-key": KEY, cookie: 'a="b"', host: "localhost" } },
      "request",
    );
    log.error({ err: new Error(`key ${KEY} failed`) }, `Bearer abc.def-ghi and ${KEY.replace("test", "live")}`);
    log.debug({}, "below the level");
  });
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/0123456789|abc\.def|a=/);
  expect(JSON.parse(lines[0]!).headers.host).toBe("localhost");
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

test.each([
  ["PAYMENT-SIGNATURE as a header", { headers: { "PAYMENT-SIGNATURE": "abc" } }, /abc/],
  ["Payment-Authorization as a header", { headers: { "payment-authorization": "Payment abc" } }, /abc/],
  ["X-PAYMENT as a header, twice", { headers: { "x-payment": ["abc", "abcd"] } }, /abc/],
  ["stripe-signature as a header", { headers: { "stripe-signature": "t=1,v1=abc" } }, /abc/],
  ["a signed payment", PAYMENT, /5a5a/],
  ["a signed payment in base64", { text: base64(PAYMENT) }, new RegExp(base64(PAYMENT).slice(20, 60))],
  ["a signed payment in base64url", { text: `Payment ${base64(PAYMENT).replace(/=/g, "")}` }, /eyJ/],
  ["a signed payment, printed with spaces", { text: btoa(JSON.stringify(PAYMENT, null, 1)) }, /ewog/],
  ["a signature in its three parts", { r: HASH, s: HASH, v: 27 }, /9f1d22c3/],
  ["the call that carries it", { err: new Error(`data: ${HASH}${"0".repeat(64)}`) }, /9f1d22c3/],
  ["a signature of Stripe in a message", { err: new Error("t=1763757000,v1=5257a869e7,v0=6ffbb59b") }, /5257|6ffb/],
  ["the secret key of Stripe", { err: new Error("Invalid API Key provided: sk_test_51Hq8tGLkdIwHu7ix") }, /51Hq8t/],
  ["a restricted key of anybody's", { key: "rk_live_51Hq8tGLkdIwHu7ix" }, /51Hq8t/],
  ["a webhook secret of anybody's", { text: "whsec_abc/def+ghi=" }, /abc|def|ghi/],
  ["a private key of anybody's, by its field", { privateKey: HASH }, /9f1d22c3/],
  ["an access token", { text: `beckon_at_${"Q".repeat(43)}` }, /QQQ/],
  ["a JWT", { text: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl" }, /eyJ|c2ln/],
  ["a private key of anybody's, as a file", { text: `-----BEGIN PRIVATE KEY-----\n${HASH}\n-----END` }, /9f1d22c3/],
  ["the hash of a password", { text: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA" }, /c2FsdA|aGFzaA/],
  ["the password of the database", { text: "postgres://beckon:hunter2@db.example/beckon" }, /hunter2/],
  ["one that holds an @", { err: new Error("no postgresql://beckon:hunt@er2@db.example:5432/beckon") }, /hunt|er2@/],
  ["one as a parameter", { url: "postgres://db.example/beckon?user=beckon&password=hunter2&x=1" }, /hunter2/],
  ["the password of a mail server", { text: "smtps://mailer:hunter2@mail.example:465" }, /hunter2/],
  ["the database's password, without its address", { err: new Error("bad: correct horse battery") }, /correct/],
  ["the token of the metrics", { text: "sent metrics-token-0123 for /metrics" }, /metrics-token/],
  ["the key in the address of the RPC", { err: new Error(`URL: ${config.direct!.rpcUrls[0]}`) }, /8dk29fj2k3l4m5n6/],
])("a log line does not hold %s", (_, fields, secret) => {
  const [line] = linesOf((log) => log.error(fields, "payment"));
  expect(line).toContain("redacted");
  expect(line).not.toMatch(secret);
});

test("what is not secret is kept: transaction hashes, addresses, hosts, session ids", () => {
  const fields = { hash: HASH, payer: HASH.slice(0, 42), host: "base-sepolia.rpc.test/v2", session: "cs_test_a1b2c3" };
  for (const settings of [config, { logLevel: "info" as const }]) {
    const [line] = linesOf((log) => log.info(fields, `Payment submitted in ${HASH}`), settings);
    expect(JSON.parse(line!)).toMatchObject({ ...fields, msg: `Payment submitted in ${HASH}` });
  }
});

test("what only looks like a password in a URL is kept", () => {
  const fields = { a: "http://localhost:3000/?mail=a@example.com", b: "http://[::1]:80/@x", c: "mailto:a@example.com" };
  const [line] = linesOf((log) => log.info(fields, "request"));
  expect(JSON.parse(line!)).toMatchObject(fields);
});

test("values of a failed statement are not logged, however deep the error is wrapped", () => {
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    severity: "ERROR",
    detail: "(a@example.com)",
  });
  const err = new Error("failed", { cause: new DrizzleQueryError("select $1", ["a@example.com"], cause) });
  const [line] = linesOf((log) => log.error({ err }, "a request failed"));
  expect(line).not.toContain("example.com");
  const logged = { cause: { message: "duplicate key", statement: "select $1", cause: { code: "23505" } } };
  expect(JSON.parse(line!).err).toMatchObject(logged);
});

test("a secret of one letter does not redact that letter everywhere", () => {
  const [line] = linesOf((log) => log.info({}, "example"), { ...config, secrets: ["e"] });
  expect(line).toContain("example");
});
