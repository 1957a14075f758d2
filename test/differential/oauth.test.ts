import { afterAll, beforeAll, expect, test } from "vitest";
import { s256, VERIFIER } from "../support/oauth/app.ts";
import { consent } from "../support/oauth/consent.ts";
import { type ReferenceServer, referenceServer } from "../support/oauth/reference-server.ts";
import { allTests } from "../support/service/each-test.ts";
import { testService } from "../support/service/service.ts";
import { signedIn } from "../support/website/user.ts";

/*
 * Our authorization server is compared with oidc-provider, a kept and certified one, and the same valid requests of a
 * public client get answers of one shape from both. Where ours differs, it is meant to:
 *
 * - `error_uri`: our errors lead to a page that explains the code (RFC 6749 section 5.2 allows it).
 * - `Pragma: no-cache`: ours sends what RFC 6749 section 5.1 wants; RFC 9111 has made it superfluous since.
 * - Registration: oidc-provider answers its defaults of OpenID Connect too, which mean nothing here.
 * - A client that is not known gets 401 invalid_client there. Here a public client's `client_id` proves nothing, apps may
 *   be known by a document that is not fetched at the token endpoint, and the code says for whom it was issued.
 */
const OURS_ALONE = new Set(["error_uri"]);

const REDIRECT = "https://app.example/callback";

interface Shape {
  readonly status: number;
  readonly members: Readonly<Record<string, string>>;
  readonly error: unknown;
  readonly cache: string | null;
  readonly challenge: boolean;
}

interface Server {
  readonly url: string;
  authorize(query: URLSearchParams): Promise<URL>;
}

const service = allTests(() => testService({ publishUrl: true }));
let reference: ReferenceServer;
let servers: readonly Server[];

beforeAll(async () => {
  reference = await referenceServer();
  const { user } = await signedIn(service);
  const authorize = (query: URLSearchParams) => consent(user, `/oauth/authorize?${query}`);
  servers = [{ url: service.url, authorize }, reference];
});
afterAll(() => reference.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of two servers
type Json = any;

async function post(url: string, body: object, type = "application/x-www-form-urlencoded") {
  const text = type === "application/json" ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>);
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body: String(text) });
  const answer = await response.text();
  const json: Json = answer === "" ? {} : JSON.parse(answer);
  return { response, json };
}

function shapeOf({ response, json }: Awaited<ReturnType<typeof post>>): Shape {
  const members = Object.entries(json).filter(([name]) => !OURS_ALONE.has(name));
  return {
    status: response.status,
    members: Object.fromEntries(members.map(([name, value]) => [name, typeof value]).sort()),
    error: json.error,
    cache: response.headers.get("cache-control"),
    challenge: response.headers.has("www-authenticate"),
  };
}

/** Registers at a server and has its user allow the request. */
async function begin({ url, authorize }: Server) {
  const metadata = { client_name: "App", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
  const { json: client } = await post(`${url}/oauth/register`, metadata, "application/json");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: "read index",
    state: "of the app",
    code_challenge: s256(VERIFIER),
    code_challenge_method: "S256",
  });
  const back = await authorize(query);
  const exchange = {
    grant_type: "authorization_code",
    client_id: client.client_id as string,
    code: back.searchParams.get("code")!,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
  return { url, client, back, exchange, token: (form: object) => post(`${url}/oauth/token`, form) };
}

/** Does the same at both. @returns what each answered: ours, theirs */
async function both<T>(act: (app: Awaited<ReturnType<typeof begin>>) => Promise<T>): Promise<[T, T]> {
  return [await act(await begin(servers[0]!)), await act(await begin(servers[1]!))];
}

async function expectSame(act: (app: Awaited<ReturnType<typeof begin>>) => Promise<Awaited<ReturnType<typeof post>>>) {
  const [ours, theirs] = (await both(act)).map(shapeOf);
  expect(ours).toEqual(theirs);
  return ours!;
}

test("201: a registration has the same values in both answers", async () => {
  const [ours, theirs] = await both(async ({ client }) => client);
  const { client_id: ourId, client_id_issued_at: ourTime, scope: _, ...same } = ours;
  expect(theirs).toMatchObject(same);
  expect([typeof ourId, typeof ourTime]).toEqual([typeof theirs.client_id, typeof theirs.client_id_issued_at]);
});

test("an authorization response has the same parameters: code, state and iss", async () => {
  const [ours, theirs] = await both(async ({ url, back }) => {
    expect(back.searchParams.get("iss")).toBe(url);
    expect(back.searchParams.get("state")).toBe("of the app");
    return [...back.searchParams.keys()].sort();
  });
  expect(ours).toEqual(theirs);
});

test("200: a code is exchanged for tokens", async () => {
  const shape = await expectSame(({ token, exchange }) => token(exchange));
  const texts = ["access_token", "refresh_token", "scope", "token_type"].map((name) => [name, "string"]);
  const members = { ...Object.fromEntries(texts), expires_in: "number" };
  expect(shape).toEqual({ status: 200, members, error: undefined, cache: "no-store", challenge: false });
});

test("200: a refresh token is exchanged for new ones", async () => {
  const shape = await expectSame(async ({ token, exchange }) => {
    const { json } = await token(exchange);
    return token({ grant_type: "refresh_token", client_id: exchange.client_id, refresh_token: json.refresh_token });
  });
  expect(shape.status).toBe(200);
});

test("200: after a revocation the refresh token is refused", async () => {
  const shape = await expectSame(async ({ url, token, exchange }) => {
    const { json } = await token(exchange);
    const client = { client_id: exchange.client_id };
    const revoked = await post(`${url}/oauth/revoke`, { ...client, token: json.refresh_token });
    expect([revoked.response.status, revoked.json]).toEqual([200, {}]);
    return token({ grant_type: "refresh_token", ...client, refresh_token: json.refresh_token });
  });
  expect(shape).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("400 invalid_grant: a refresh token that is used again ends the tokens that replaced it", async () => {
  const shape = await expectSame(async ({ token, exchange }) => {
    const { json } = await token(exchange);
    const renewal = { grant_type: "refresh_token", client_id: exchange.client_id, refresh_token: json.refresh_token };
    const { json: next } = await token(renewal);
    await token(renewal);
    return token({ ...renewal, refresh_token: next.refresh_token });
  });
  expect(shape).toMatchObject({ status: 400, error: "invalid_grant" });
});

test.each([
  ["invalid_grant", "a code that is not known", { code: "unknown" }],
  ["invalid_grant", "another redirect_uri", { redirect_uri: "https://app.example/other" }],
  ["invalid_grant", "another verifier", { code_verifier: "b".repeat(43) }],
  ["unsupported_grant_type", "a grant type that there is not", { grant_type: "password" }],
  ["invalid_request", "no grant type", { grant_type: "" }],
  ["invalid_request", "no code", { code: "" }],
])("400 %s: %s", async (error, _, changes) => {
  const shape = await expectSame(({ token, exchange }) => token({ ...exchange, ...changes }));
  expect(shape).toMatchObject({ status: 400, error });
});

test("400 invalid_grant: a code that is used again", async () => {
  const shape = await expectSame(async ({ token, exchange }) => {
    await token(exchange);
    return token(exchange);
  });
  expect(shape).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("difference: an unknown client is invalid_grant here, invalid_client there", async () => {
  const answers = await both(({ token, exchange }) => token({ ...exchange, client_id: "nobody" }));
  expect(answers.map(({ response, json }) => [response.status, json.error])).toEqual([
    [400, "invalid_grant"],
    [401, "invalid_client"],
  ]);
});
