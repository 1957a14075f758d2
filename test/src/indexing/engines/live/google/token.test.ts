import { decodeJwt, decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { askGoogle } from "../../../../../../src/indexing/engines/live/google/request.ts";
import { tokensOf } from "../../../../../../src/indexing/engines/live/google/token.ts";
import { MINUTE, SECOND } from "../../../../../../src/platform/clock.ts";
import { failureIn, limited, TIME_LIMIT } from "../../../../../support/indexing/channel-call.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { holdTimers, until } from "../../../../../support/service/held-timers.ts";

const SCOPE = "https://www.googleapis.com/auth/webmasters";
const OTHER = "https://www.googleapis.com/auth/indexing";

const providers = eachTest(startFakeProviders);

const token = (scope = SCOPE) => tokensOf(providers.api).of("search_console", scope);
const fetches = () => providers.fakes.callsTo("google");

test("the assertion as it is sent: RS256, valid for one hour, for the token endpoint, with one scope", async () => {
  expect(await token()).toMatch(/^ya29\./);
  const [call] = fetches();
  expect([call!.method, call!.path]).toEqual(["POST", "/token"]);
  expect(call!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  const form = new URLSearchParams(call!.body);
  expect([...form.keys()]).toEqual(["grant_type", "assertion"]);
  expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const account = JSON.parse(providers.api.settings.GOOGLE_SERVICE_ACCOUNT!);
  const { alg, typ, kid } = decodeProtectedHeader(form.get("assertion")!);
  expect({ alg, typ, kid }).toEqual({ alg: "RS256", typ: "JWT", kid: account.private_key_id });
  const iat = providers.clock.now() / SECOND;
  expect(decodeJwt(form.get("assertion")!)).toEqual({
    iss: account.client_email,
    aud: account.token_uri,
    scope: SCOPE,
    iat,
    exp: iat + 3600,
  });
});

test("a token is kept until a minute before it expires; each scope has one", async () => {
  const first = await token();
  expect(await token(OTHER)).not.toBe(first);
  providers.clock.pass(3599 * SECOND - MINUTE - 1);
  expect(await token()).toBe(first);
  providers.clock.pass(1);
  expect(await token()).not.toBe(first);
  expect(fetches()).toHaveLength(3);
});

test("callers at the same time share one fetch", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => token()));
  expect(new Set(all).size).toBe(1);
  expect(fetches()).toHaveLength(1);
});

test("a token that Google refuses is not used again", async () => {
  const request = { method: "GET", url: `${providers.fakes.urls.search_console}/webmasters/v3/sites` } as const;
  const ask = () => askGoogle(providers.api, "search_console", SCOPE, request);
  providers.world.answer("search_console", { status: 401 }, 1);
  expect((await ask()).status).toBe(401);
  expect((await ask()).status).toBe(200);
  const [first, second] = providers.fakes.callsTo("search_console").map(({ headers }) => headers.authorization);
  expect(first).toMatch(/^Bearer ya29\./);
  expect(second).not.toBe(first);
});

test("unauthorized: Google does not know the key", async () => {
  providers.world.serviceAccounts.clear();
  expect(await failureIn(token())).toMatchObject({ kind: "unauthorized", provider: "search_console" });
});

test("unauthorized: the clock differs by more than Google allows", async () => {
  const behind = { ...providers.api, clock: { now: () => providers.clock.now() - 90 * MINUTE, service: () => 0 } };
  const settings = { ...providers.api.settings };
  expect((await failureIn(tokensOf({ ...behind, settings }).of("x", SCOPE))).kind).toBe("unauthorized");
});

test.each([
  ["a time-out", "hang", "timeout"],
  ["a connection that is dropped", "drop", "bad_answer"],
  ["a 502", { status: 502 }, "server_error"],
  ["a 200 without a token", { status: 200, body: {} }, "bad_answer"],
  ["a 200 in HTML", { status: 200, body: "<html></html>" }, "bad_answer"],
] as const)(
  "%s: the call that needed the token is not made, and the next call fetches a new token",
  async (_, answer, kind) => {
    providers.world.answer("google", answer as never, 1);
    const tokens = tokensOf(limited(providers.api));
    const timers = holdTimers(TIME_LIMIT);
    const failing = failureIn(tokens.of("search_console", SCOPE));
    if (answer === "hang") {
      await until(() => providers.fakes.callsTo("google").length > 0);
      timers.end(TIME_LIMIT);
    }
    expect(await failing).toMatchObject({ kind, mayHaveArrived: false });
    expect(await tokens.of("search_console", SCOPE)).toMatch(/^ya29\./);
  },
);
