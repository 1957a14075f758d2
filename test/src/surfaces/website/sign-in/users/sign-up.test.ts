import { afterAll, beforeEach, expect, test } from "vitest";
import { personByEmail } from "../../../../../../src/domain/people/people.ts";
import { DAY, HOUR } from "../../../../../../src/platform/clock.ts";
import { testService } from "../../../../../support/service/service.ts";
import { lastLink, member, PASSWORD, signInAs } from "../../../../../support/website/member.ts";
import { type PageSeen, signedIn, User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));

let count = 0;
const someone = () => `new${++count}@example.com`;
const personOf = (email: string) => personByEmail(service.db, email);

async function signUp(user: User, email: string, returnTo = ""): Promise<PageSeen> {
  const page = await user.get(`/sign-up?${new URLSearchParams({ return_to: returnTo })}`);
  return user.submit(page, { email, password: PASSWORD });
}

/** A page without the CSRF token, which differs every time. */
const steady = ({ html }: PageSeen) => html.replace(/name="token" value="[\w-]+"/g, "");

test("303: signs up, opens the mailed link, creates the account, and continues to the page asked for", async () => {
  const [user, email] = [new User(service), someone()];
  const sent = await user.follow(await signUp(user, ` ${email.toUpperCase()} `, "/claim?attempt=x"));
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("Check your e-mail")]);
  expect(await personOf(email)).toBeNull();
  const page = await user.get(lastLink(service, email));
  expect(page.text).toContain(`create the account of ${email}`);
  expect(page.forms[0]!.fields.map(([name]) => name)).toEqual(["token", "link"]);
  const opened = await user.submit(page);
  expect([opened.status, opened.location]).toEqual([303, "/claim?attempt=x"]);
  expect((await user.get("/dashboard")).text).toContain(`Signed in as ${email}`);
  expect(await personOf(email)).toMatchObject({ verifiedAt: service.clock.now() });
});

test("200: the page after the form names what was typed, in this browser alone, and in a sandbox where the mail is", async () => {
  const [user, email] = [new User(service), someone()];
  const sent = await user.follow(await signUp(user, email));
  expect(sent.text).toContain(`on its way to ${email}.`);
  expect(sent.text).toContain("This is a sandbox, which sends no mail.");
  const other = await new User(service).get("/sign-up/sent");
  expect(other.text).toContain("on its way to the address you gave.");
  user.cookies.set("mailed", Buffer.from("<b>no address</b>").toString("base64url"));
  expect((await user.get("/sign-up/sent")).text).toContain("on its way to the address you gave.");
});

test("law: the pages are the same for an address that has an account", async () => {
  const { email } = await member(service);
  const seen = [];
  for (const address of [email, someone()]) {
    const user = new User(service);
    const answer = await signUp(user, address, "/claim?attempt=x");
    const page = await user.follow(answer);
    expect(page.text).toContain(`on its way to ${address}.`);
    const html = steady(page).replaceAll(address, "ADDRESS");
    seen.push([answer.status, answer.location, [...answer.headers.keys()], page.status, html]);
  }
  expect(seen[0]).toEqual(seen[1]);
});

for (const [email, password, problem] of [
  ["ann", PASSWORD, "Enter an e-mail address"],
  ["", PASSWORD, "Enter an e-mail address"],
  [`<script>alert(1)</script>@example.com`, PASSWORD, "Enter an e-mail address"],
  ["ann@example.com", "short", "at least 10 characters"],
  ["ann@example.com", "", "at least 10 characters"],
  ["ann@example.com", "password12", "most common passwords"],
  ["ann@example.com", "ann@example.com", "easy to guess"],
] as const) {
  test(`400 "${email}", "${password}": says what is wrong, keeps the address, never the password`, async () => {
    const user = new User(service);
    const page = await user.get("/sign-up?return_to=/claim");
    const again = await user.submit(page, { email, password });
    expect(again.status).toBe(400);
    expect(again.text).toContain(problem);
    const fields = new Map(again.forms[0]!.fields);
    expect([fields.get("email"), fields.get("password"), fields.get("return_to")]).toEqual([email, "", "/claim"]);
    expect(again.html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
    expect(service.outbox.filter(({ to }) => to === "ann@example.com")).toEqual([]);
  });
}

test("401: in another browser the password is asked for, and a wrong one creates no account", async () => {
  const email = someone();
  await signUp(new User(service), email, "/claim");
  const other = new User(service);
  const page = await other.get(lastLink(service, email));
  expect(page.text).toContain("You signed up in another browser");
  for (const password of ["", "not the password"]) {
    const wrong = await other.submit(page, { password });
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining("not the password that you chose")]);
  }
  expect(await personOf(email)).toBeNull();
  expect((await other.submit(page, { password: PASSWORD })).location).toBe("/claim");
  expect(await personOf(email)).not.toBeNull();
});

test("410 after five wrong passwords, also for the right one", async () => {
  const email = someone();
  await signUp(new User(service), email);
  const other = new User(service);
  const page = await other.get(lastLink(service, email));
  const statuses = [];
  for (const password of ["wrong 1", "wrong 2", "wrong 3", "wrong 4", "wrong 5", PASSWORD])
    statuses.push((await other.submit(page, { password })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 410, 410]);
  expect(await personOf(email)).toBeNull();
});

test("law: opening the link does not use it up, however often, in any browser, also with HEAD", async () => {
  const [user, email] = [new User(service), someone()];
  await signUp(user, email);
  const link = lastLink(service, email);
  for (let n = 0; n < 3; n++) {
    expect((await new User(service).get(link)).status).toBe(200);
    expect((await fetch(`${service.url}${link}`, { method: "HEAD" })).status).toBe(200);
  }
  expect(await personOf(email)).toBeNull();
  expect((await user.submit(await user.get(link))).status).toBe(303);
});

test("410 names the next step: a link that was used, that has expired, or that never existed", async () => {
  const [user, email] = [new User(service), someone()];
  await signUp(user, email);
  const used = await user.get(lastLink(service, email));
  await user.submit(used);
  const late = someone();
  await signUp(new User(service), late);
  const expired = lastLink(service, late);
  service.clock.pass(DAY);
  for (const link of [
    lastLink(service, email),
    expired,
    "/confirm",
    "/confirm?link=x",
    `/confirm?link=lnk_${"a".repeat(43)}`,
  ]) {
    const page = await new User(service).get(link);
    expect([link, page.status]).toEqual([link, 410]);
    for (const next of ["/sign-in", "/sign-up"]) expect(page.html).toContain(`href="${next}"`);
  }
  const again = await user.submit({ ...used, forms: [{ ...used.forms[0]!, fields: await tokenAnd(user, used) }] });
  expect([again.status, again.text]).toEqual([410, expect.stringContaining("Go to your dashboard")]);
});

/** The fields of a page that was open before the cookie changed, with the present token. */
async function tokenAnd(user: User, page: PageSeen) {
  const [, ...rest] = page.forms[0]!.fields;
  const fresh = (await user.get("/sign-out")).forms.flatMap(({ fields }) =>
    fields.filter(([name]) => name === "token"),
  );
  return [fresh[0]!, ...rest];
}

test("410: a link to reset a password creates no account, and the other way round", async () => {
  const who = await member(service);
  const user = new User(service);
  await user.submit(await user.get("/forgot"), { email: who.email });
  const reset = lastLink(service, who.email);
  expect((await user.get(reset.replace("/reset", "/confirm"))).status).toBe(410);
  const email = someone();
  await signUp(user, email);
  expect((await user.get(lastLink(service, email).replace("/confirm", "/reset"))).status).toBe(410);
});

test("signing up ends the session that the browser had before", async () => {
  const { user, accountId } = await signedIn(service);
  const [fresh, email] = [new User(service), someone()];
  await signUp(fresh, email);
  const page = await user.get(lastLink(service, email));
  await user.submit(page, { password: PASSWORD });
  expect((await user.get("/dashboard")).text).toContain(`Signed in as ${email}`);
  const { sessions } = service.db.t;
  const left = await service.db.q.select().from(sessions);
  expect(left.filter((session) => session.accountId === accountId)).toEqual([]);
});

test("303: somebody who is signed in is redirected to the page asked for", async () => {
  const { user } = await signedIn(service);
  const page = await user.get("/sign-up?return_to=/pricing");
  expect([page.status, page.location]).toEqual([303, "/pricing"]);
});

test("429 with Retry-After after too many requests from one network; the form keeps the address", async () => {
  const user = new User(service);
  let page = await signUp(user, someone());
  for (let n = 0; n < 20 && page.status === 303; n++) page = await signUp(user, someone());
  expect(page.status).toBe(429);
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(page.text).toMatch(/Too many attempts\. Try again in \d+ (minutes|seconds)\./);
  expect(new Map(page.forms[0]!.fields).get("email")).toBe(`new${count}@example.com`);
});

test("sign-in, sign-up and forgotten password pass return_to on to each other", async () => {
  const user = new User(service);
  const asked = "/claim?attempt=x&y=z";
  const kept = `return_to=${encodeURIComponent(asked)}`;
  for (const [path, next] of [
    ["/sign-in", ["/sign-up", "/forgot"]],
    ["/sign-up", ["/sign-in"]],
    ["/forgot", ["/sign-in"]],
    ["/sign-up/sent", ["/sign-up"]],
    ["/forgot/sent", ["/forgot", "/sign-up"]],
  ] as const) {
    const page = await user.get(`${path}?${kept}`);
    for (const to of next) expect([path, page.html.includes(`href="${to}?${kept}"`)]).toEqual([path, true]);
    for (const form of page.forms) expect(new Map(form.fields).get("return_to")).toBe(asked);
  }
  const evil = await user.get("/sign-in?return_to=//evil.test");
  expect(evil.html).not.toContain("evil");
});

test("the sign-in page says that an app or an agent asks to be connected", async () => {
  const user = new User(service);
  expect((await user.get("/sign-in?return_to=/claim?attempt=x")).text).toContain("An agent asks to be connected");
  expect((await user.get("/sign-in?return_to=/oauth/authorize?a=b")).text).toContain("An app asks to be connected");
  expect((await user.get("/sign-in?return_to=/constructor")).text).not.toContain("native code");
  expect((await signInAs(user, await member(service), "/claim?attempt=x")).location).toBe("/claim?attempt=x");
});
