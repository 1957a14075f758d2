import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createSignInLink } from "../../../../../../src/domain/users/sign-in-links.ts";
import { HOUR } from "../../../../../../src/platform/clock.ts";
import type { Config } from "../../../../../../src/platform/config/config.ts";
import { scriptedIssuer } from "../../../../../support/issuer/scripted-issuer.ts";
import { testService } from "../../../../../support/service/service.ts";
import { member, PASSWORD } from "../../../../../support/website/member.ts";
import { type PageSeen, User } from "../../../../../support/website/user.ts";

let now = () => Date.now();
const remote = await scriptedIssuer(() => now());
const settings = { url: remote.url, clientId: "beckon", clientSecret: "secret", name: "Staff & Friends" };
const service = await testService({ config: { issuer: settings } });
afterAll(() => service.close());
now = () => service.clock.now();

beforeEach(() => {
  Object.assign(remote, { claims: {}, userinfo: {}, metadata: {}, header: {}, replies: {} });
});

const CALLBACK = "/sign-in/oidc/callback";
let people = 0;

/** The claims of somebody whom nobody here knows. */
function somebody() {
  const sub = `person-${people++}`;
  return { sub, email: `${sub}@example.com`, email_verified: true };
}

/** Presses the button of a page that leads to the issuer. @returns the query with which the issuer sends the browser back */
async function goTo(user: User, page: PageSeen, answer?: Record<string, string | null>, action = "/sign-in/oidc") {
  const leaving = await user.submit(page, {}, action);
  expect([leaving.status, leaving.headers.get("location")]).toEqual([200, null]);
  return remote.authorize(leaving.location!, answer);
}

async function signIn(user: User, path = "/sign-in", answer?: Record<string, string | null>): Promise<PageSeen> {
  return user.get(`${CALLBACK}?${await goTo(user, await user.get(path), answer)}`);
}

async function signInLocally(user: User, email: string, path = "/sign-in"): Promise<PageSeen> {
  return user.submit(await user.get(path), { email, password: PASSWORD }, "/sign-in");
}

test("200, then 303: signs up, signs out, signs in; and leads on to the page that was asked for", async () => {
  remote.claims = somebody();
  const user = new User(service);
  const done = await signIn(user, "/sign-up?return_to=/dashboard/sites");
  expect([done.status, done.location]).toEqual([303, "/dashboard/sites"]);
  expect((await user.get("/dashboard/security")).text).toContain("Connected with Staff & Friends");
  const out = await user.follow(await user.submit(await user.get("/sign-out"), {}, "/sign-out"));
  expect(out.text).toContain("you may still be signed in there");
  expect((await user.submit(out, {}, "/sign-out/oidc")).location).toContain(`${remote.url}/end?`);
  expect((await signIn(user)).location).toBe("/dashboard");
});

test("proving it again: the page leads to the issuer with max_age 0, and back", async () => {
  remote.claims = somebody();
  const user = new User(service);
  await signIn(user);
  service.clock.pass(2 * HOUR);
  const asked = await user.follow(await user.get("/dashboard/security/passkeys/new"));
  expect(asked.text).toContain("Staff & Friends asks you to sign in there once more");
  expect(asked.forms.map(({ action }) => action)).not.toContain("/sign-in");
  const query = await goTo(user, asked);
  expect([...remote.departures.values()].at(-1)!.get("max_age")).toBe("0");
  remote.claims = { ...remote.claims, auth_time: Math.floor((now() - HOUR) / 1000) };
  const refused = await user.get(`${CALLBACK}?${query}`);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("It is not shown that it is you")]);
  remote.claims = { ...remote.claims, auth_time: undefined };
  const untold = await user.get(`${CALLBACK}?${await goTo(user, asked)}`);
  expect([untold.status, untold.text]).toEqual([502, expect.stringContaining("does not say when you signed in")]);
  delete (remote.claims as { auth_time?: number }).auth_time;
  const back = await user.get(`${CALLBACK}?${await goTo(user, asked)}`);
  expect(back.location).toBe("/dashboard/security/passkeys/new");
  expect((await user.get(back.location!)).status).toBe(200);
});

test("409: an account with the address is signed in to once as before, then connected, and disconnected", async () => {
  const { email } = await member(service);
  remote.claims = { ...somebody(), email };
  const user = new User(service);
  const exists = await signIn(user);
  expect([exists.status, exists.text]).toEqual([409, expect.stringContaining("Sign in to your account once")]);
  const path = /href="([^"]*return_to[^"]*)">sign in and connect/.exec(exists.html)![1]!.replaceAll("&amp;", "&");
  const connect = await user.follow(await signInLocally(user, email, path));
  const back = await user.get(`${CALLBACK}?${await goTo(user, connect, {}, "/dashboard/security/issuer")}`);
  expect(back.location).toBe("/dashboard/security?done=issuer_connected");
  const other = new User(service);
  expect((await signIn(other)).location).toBe("/dashboard");
  const security = await other.get("/dashboard/security");
  expect((await other.submit(security, {}, "/dashboard/security/issuer/disconnect")).location).toContain(
    "issuer_disconn",
  );
  expect((await signIn(new User(service))).status).toBe(409);
});

test("connecting asks for a fresh proof", async () => {
  const { email } = await member(service);
  const user = new User(service);
  await signInLocally(user, email);
  const security = await user.get("/dashboard/security");
  service.clock.pass(2 * HOUR);
  const asked = await user.submit(security, {}, "/dashboard/security/issuer");
  expect(asked.location).toContain("again=1");
});

test("law: nothing that the issuer, or whoever writes its answer, says is in a page or in the log", async () => {
  const said = "<b>Call 0900 1234</b>";
  remote.claims = { ...somebody(), email_verified: false, name: said, email: `"${said}"@example.com` };
  const answers: Record<string, string | null>[] = [
    {},
    { error: said, error_description: said, code: null },
    { error: "access_denied", error_description: said, error_uri: "https://evil.example", code: null },
    { iss: said },
  ];
  for (const answer of answers) {
    const page = await signIn(new User(service), "/sign-in", answer);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.html).not.toMatch(/0900|evil\.example|access_denied/);
  }
  remote.replies = { "/token": { status: 400, body: { error: "invalid_grant", error_description: said } } };
  expect((await signIn(new User(service))).html).not.toContain("0900");
  expect(JSON.stringify(service.errors)).not.toMatch(/0900|evil\.example/);
});

test.each<[number, string, Parameters<typeof Object.assign>[1]]>([
  [503, "cannot be reached", { replies: { "/token": "nothing" } }],
  [502, "cannot be used", { claims: { aud: "other" } }],
  [
    403,
    "has not confirmed your address",
    { claims: { sub: "unverified", email: "u@example.com", email_verified: "true" } },
  ],
])("%i: %s, and nobody is signed in", async (status, text, changes) => {
  Object.assign(remote, changes);
  const user = new User(service);
  const page = await signIn(user);
  expect([page.status, page.text]).toEqual([status, expect.stringContaining(text)]);
  expect((await user.get("/dashboard")).status).toBe(303);
});

test("503: an issuer that is down when somebody wants to go there", async () => {
  remote.replies = { "/.well-known/openid-configuration": "nothing" };
  const user = new User(service);
  const page = await user.submit(await user.get("/sign-in"), {}, "/sign-in/oidc");
  expect([page.status, page.text]).toEqual([503, expect.stringContaining("Staff & Friends cannot be reached")]);
});

test("410: the answer in another browser, or a second time; whoever is signed in by then stays so", async () => {
  remote.claims = somebody();
  const user = new User(service);
  const query = await goTo(user, await user.get("/sign-in"));
  expect((await new User(service).get(`${CALLBACK}?${query}`)).status).toBe(410);
  expect((await user.get(`${CALLBACK}?${query}`)).location).toBe("/dashboard");
  expect((await user.get(`${CALLBACK}?${query}`)).location).toBe("/dashboard");
  expect((await user.get("/dashboard")).status).toBe(200);
  const stranger = new User(service);
  for (const bad of ["", "?state=", "?code=x", `?${query}&${query}`])
    expect([400, 410]).toContain((await stranger.get(`${CALLBACK}${bad}`)).status);
});

test("403: a form of another site sends nobody to the issuer", async () => {
  expect((await new User(service).post("/sign-in/oidc", [])).status).toBe(403);
});

test("404 without an issuer, and no page speaks of one", async () => {
  const other = await withConfig({});
  const user = new User(other);
  expect((await user.get(CALLBACK)).status).toBe(404);
  expect((await user.get("/sign-in")).text).not.toContain("Staff");
});

/** The service with other settings, on the same database. */
async function withConfig(config: Partial<Config>) {
  const other = await testService({ config, sharedWith: service });
  onTestFinished(() => other.close());
  return other;
}

test("LOCAL_SIGN_IN=off: by the issuer, or by a link of the operator, and in no other way", async () => {
  const { email } = await member(service);
  const { db, clock } = service;
  const other = await withConfig({ issuer: settings, localSignIn: false });
  const user = new User(other);
  const page = await user.get("/sign-in");
  expect(page.forms.map(({ action }) => action)).toEqual(["/sign-in/oidc"]);
  for (const path of ["/sign-up", "/forgot", "/reset?link=x", "/confirm?link=x"])
    expect((await user.get(path)).location).toBe("/sign-in");
  const token: [string, string] = ["token", new Map(page.forms[0]!.fields).get("token")!];
  for (const path of ["/sign-in", "/sign-up", "/forgot", "/reset", "/confirm", "/sign-in/passkey"])
    expect([path, (await user.post(path, [token, ["email", email], ["password", PASSWORD]])).status]).toEqual([
      path,
      404,
    ]);
  expect((await user.get("/dashboard")).status).toBe(303);

  remote.claims = { ...somebody(), email };
  const exists = await signIn(user);
  expect([exists.status, exists.text]).toEqual([409, expect.stringContaining("a link that signs you in to it once")]);

  const link = await db.tx((tx) => createSignInLink(tx, { kind: "operator", email, now: clock.now() }));
  expect((await user.submit(await user.get(`/sign-in/link?link=${link}`))).location).toBe("/dashboard");
  expect((await user.get(`/sign-in/link?link=${link}`)).status).toBe(410);
  const security = await user.get("/dashboard/security");
  expect(security.text).not.toContain("Change your password");
  const back = await user.get(`${CALLBACK}?${await goTo(user, security, {}, "/dashboard/security/issuer")}`);
  expect(back.location).toBe("/dashboard/security?done=issuer_connected");
  expect((await user.get(back.location!)).forms.map(({ action }) => action)).not.toContain(
    "/dashboard/security/issuer/disconnect",
  );
  expect((await signIn(new User(other))).location).toBe("/dashboard");
});
