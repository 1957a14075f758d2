import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sessionsOf } from "../../../../../src/domain/users/sessions.ts";
import { DAY, HOUR } from "../../../../../src/platform/clock.ts";
import { ownerOf } from "../../../../support/database/people.ts";
import { poster, toolCall } from "../../../../support/mcp/post.ts";
import { testService } from "../../../../support/service/service.ts";
import { member, PASSWORD, signInAs } from "../../../../support/website/member.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const secure = await testService({ config: { siteUrl: "https://beckon.test" } });
afterAll(() => Promise.all([service.close(), secure.close()]));
// The limits of the hour count for the one address that all tests come from.
beforeEach(() => service.clock.pass(HOUR));

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const tokenOf = (html: string) => /name="token" value="([\w-]+)"/.exec(html)![1]!;
const sessionsLeft = async (accountId: string) =>
  (await sessionsOf(service.db, await ownerOf(service.db, accountId), service.clock.now())).length;

/** Signs out with exactly these headers. @returns its status, and how many sessions the account has left */
async function signOutBy(headers: Record<string, string>, change: (body: string) => string = (body) => body) {
  const { user, accountId } = await signedIn(service);
  const body = change(`token=${tokenOf((await user.get("/sign-out")).html)}`);
  const cookie = { Cookie: `sid=${user.cookies.get("sid")}` };
  const all = { ...FORM, ...cookie, ...headers };
  const response = await fetch(`${service.url}/sign-out`, { method: "POST", redirect: "manual", headers: all, body });
  return { status: response.status, left: await sessionsLeft(accountId), text: await response.text() };
}

describe("the cookie", () => {
  test("on https it is __Host-sid: Secure, HttpOnly, SameSite=Lax, for this host only", async () => {
    const page = await new User(secure).get("/sign-in");
    const [line, ...more] = page.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^__Host-sid=ses_[\w-]{43}; Max-Age=2592000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("a page that is the same for everybody sets no cookie", async () => {
    for (const path of ["/", "/pricing", "/docs/errors", "/nothing"])
      expect([path, (await new User(service).get(path)).headers.getSetCookie()]).toEqual([path, []]);
  });

  test("law: signing in replaces the secret, so that a planted one gives no access (session fixation)", async () => {
    const user = new User(service);
    await user.get("/sign-in");
    const planted = user.cookies.get("sid")!;
    expect((await signInAs(user, await member(service))).status).toBe(303);
    expect(user.cookies.get("sid")).not.toBe(planted);
    expect((await user.get("/dashboard")).status).toBe(200);
    const thief = new User(service);
    thief.cookies.set("sid", planted);
    expect((await thief.get("/dashboard")).location).toMatch(/^\/sign-in\?/);
  });

  test("a value that is not ours is replaced", async () => {
    for (const value of ["chosen", "ses_short", `ses_${"%00".repeat(14)}a`, `lnk_${"a".repeat(43)}`]) {
      const user = new User(service);
      user.cookies.set("sid", value);
      await user.get("/sign-in");
      expect(user.cookies.get("sid")).toMatch(/^ses_[\w-]{43}$/);
    }
  });

  test("two cookies of the name: neither is accepted, in either order", async () => {
    const mine = (await signedIn(service)).user.cookies.get("sid")!;
    const other = (await signedIn(service)).user.cookies.get("sid")!;
    for (const Cookie of [`sid=${mine}; sid=${other}`, `sid=${other}; sid=${mine}`]) {
      const page = await new User(service).get("/dashboard", { Cookie });
      expect([page.status, page.location]).toEqual([303, "/sign-in?return_to=%2Fdashboard"]);
    }
  });

  test("on https a cookie without the prefix is not read", async () => {
    const { user } = await signedIn(secure);
    expect((await user.get("/dashboard")).location).toMatch(/^\/sign-in/);
    user.cookies.set("__Host-sid", user.cookies.get("sid")!);
    user.cookies.delete("sid");
    expect((await user.get("/dashboard")).status).toBe(200);
  });

  test("the session ends after 7 days without a request, and after 30 days in any case", async () => {
    const { user } = await signedIn(service);
    for (let day = 6; day < 30; day += 6) {
      service.clock.pass(6 * DAY);
      expect([day, (await user.get("/dashboard")).status]).toEqual([day, 200]);
    }
    service.clock.pass(6 * DAY);
    expect((await user.get("/dashboard")).status).toBe(303);
    const idle = (await signedIn(service)).user;
    service.clock.pass(7 * DAY);
    expect((await idle.get("/dashboard")).status).toBe(303);
  });
});

describe("the cookie is no credential for programs", () => {
  test("401 /api/v1 and /mcp: with the cookie only", async () => {
    const { user } = await signedIn(service);
    const Cookie = `sid=${user.cookies.get("sid")}`;
    const account = await fetch(`${service.url}/api/v1/account`, { headers: { Cookie } });
    expect([account.status, account.headers.getSetCookie()]).toEqual([401, []]);
    const called = await poster(service.url)(toolCall("get_account"), { headers: { Cookie } });
    expect([called.status, called.headers.getSetCookie()]).toEqual([401, []]);
  });

  for (const [path, body] of [
    ["/api/agent/identity/claim", '{"claim_token":"clm_unknown"}'],
    ["/oauth/token", "grant_type=authorization_code&code=x&client_id=x&code_verifier=x&redirect_uri=x"],
    ["/oauth/revoke", "token=x"],
  ] as const) {
    test(`${path}: the same answer with the cookie and without`, async () => {
      const { user } = await signedIn(service);
      const type = body.startsWith("{") ? { "Content-Type": "application/json" } : FORM;
      const seen = [];
      for (const cookie of [{}, { Cookie: `sid=${user.cookies.get("sid")}` }]) {
        const headers = { ...type, ...cookie };
        const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body });
        seen.push([response.status, response.headers.getSetCookie(), await response.text()]);
      }
      expect(seen[1]).toEqual(seen[0]);
    });
  }
});

describe("a form", () => {
  const OURS: readonly Record<string, string>[] = [
    { "Sec-Fetch-Site": "same-origin" },
    { Origin: "http://beckon.test" },
    { "Sec-Fetch-Site": "same-origin", Origin: "http://beckon.test" },
    // No browser of today: what its form carries has to do.
    {},
    { Referer: "http://beckon.test/sign-out" },
  ];
  for (const headers of OURS) {
    test(`303 ${JSON.stringify(headers)}: accepted`, async () => {
      expect(await signOutBy(headers)).toMatchObject({ status: 303, left: 0 });
    });
  }

  const FOREIGN: readonly Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "none" },
    { "Sec-Fetch-Site": "cross-site", Origin: "http://beckon.test" },
    { Origin: "http://evil.test" },
    { Origin: "http://beckon.test.evil.test" },
    { Origin: "https://beckon.test" },
    { Origin: "http://127.0.0.1:1" },
    { Origin: "null" },
  ];
  for (const headers of FOREIGN) {
    test(`403 ${JSON.stringify(headers)}: refused, although it has the CSRF token`, async () => {
      expect(await signOutBy(headers)).toMatchObject({ status: 403, left: 1 });
    });
  }

  test("403 from the same host on plain http, where the site is on https", async () => {
    const user = new User(secure);
    const token = tokenOf((await user.get("/forgot")).html);
    const headers = { ...FORM, Cookie: `__Host-sid=${user.cookies.get("__Host-sid")}`, Origin: secure.url };
    const body = `token=${token}&email=a@example.com`;
    const send = (more: object) =>
      fetch(`${secure.url}/forgot`, { method: "POST", redirect: "manual", headers: { ...headers, ...more }, body });
    expect((await send({})).status).toBe(403);
    expect((await send({ Origin: "https://beckon.test" })).status).toBe(303);
  });

  const SAME = { "Sec-Fetch-Site": "same-origin" };

  test("403 without the CSRF token, with a wrong one, or with another browser's", async () => {
    const others = tokenOf((await new User(service).get("/sign-in")).html);
    for (const body of ["", "token=", "token=wrong", `token=${others}`, "token[]=x", "__proto__=x"])
      expect([body, await signOutBy(SAME, () => body)]).toMatchObject([body, { status: 403, left: 1 }]);
  });

  test("403 with the CSRF token from before the sign-in", async () => {
    const user = new User(service);
    const before = tokenOf((await user.get("/sign-in")).html);
    await signInAs(user, await member(service));
    expect((await user.post("/sign-out", [["token", before]])).status).toBe(403);
    expect((await user.get("/dashboard")).status).toBe(200);
  });

  test("400 for a field or parameter that is sent twice", async () => {
    expect(await signOutBy(SAME, (body) => `${body}&${body}`)).toMatchObject({ status: 400, left: 1 });
    const user = new User(service);
    for (const path of ["/sign-in", "/sign-up", "/forgot"])
      expect([path, (await user.get(`${path}?return_to=/a&return_to=/b`)).status]).toEqual([path, 400]);
    for (const path of ["/confirm", "/reset"])
      expect([path, (await user.get(`${path}?link=a&link=b`)).status]).toEqual([path, 400]);
    const page = await user.get("/sign-in");
    const twice = { email: ["a@example.com", "b@example.com"], password: PASSWORD };
    expect((await user.submit(page, twice)).status).toBe(400);
  });

  test("413 over 32 KB; 400 with more than 200 fields", async () => {
    expect(await signOutBy(SAME, (body) => `${body}&x=${"x".repeat(33_000)}`)).toMatchObject({ status: 413, left: 1 });
    expect(await signOutBy(SAME, (body) => body + "&x=1".repeat(201))).toMatchObject({ status: 400, left: 1 });
  });

  test("403 in any other encoding than a form's", async () => {
    for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x"])
      expect(await signOutBy({ ...SAME, "Content-Type": type })).toMatchObject({ status: 403, left: 1 });
  });

  test("400 in an unknown charset or content encoding", async () => {
    for (const header of [{ "Content-Type": `${FORM["Content-Type"]}; charset=utf-7` }, { "Content-Encoding": "br" }])
      expect(await signOutBy({ ...SAME, ...header })).toMatchObject({ status: 400, left: 1 });
  });

  test("403: another site cannot sign a browser in to its own account (login CSRF)", async () => {
    const attacker = new User(service);
    const { email } = await member(service);
    const token = tokenOf((await attacker.get("/sign-in")).html);
    const fields = [
      ["token", token],
      ["email", email],
      ["password", PASSWORD],
    ] as const;
    for (const victim of [new User(service), (await signedIn(service)).user]) {
      const before = (await victim.get("/sign-in")) && victim.cookies.get("sid");
      const foreign = await victim.post("/sign-in", fields, {
        "Sec-Fetch-Site": "cross-site",
        Origin: "http://evil.test",
      });
      // Even from a page of ours, such as a hole would give, the token is another browser's.
      const own = await victim.post("/sign-in", fields);
      expect([foreign.status, own.status, victim.cookies.get("sid")]).toEqual([403, 403, before]);
    }
  });
});

test("every page forbids framing and caching, and keeps the referrer on this site", async () => {
  const { user } = await signedIn(service);
  for (const path of [
    "/sign-in?again=1",
    "/sign-up/sent",
    "/sign-out",
    "/forgot",
    "/reset?link=x",
    "/confirm?link=x",
  ]) {
    const { headers } = await user.get(path);
    const policy = headers.get("content-security-policy");
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part);
    expect(policy).toMatch(/form-action '(self|none)'(;|$)/);
    expect(policy).toContain("script-src 'self';");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("HEAD is GET without a body, and changes nothing", async () => {
  const { user, accountId } = await signedIn(service);
  for (const path of ["/sign-in?again=1", "/sign-out", "/forgot"]) {
    const headers = { Cookie: `sid=${user.cookies.get("sid")}` };
    const response = await fetch(`${service.url}${path}`, { method: "HEAD", headers });
    expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
  }
  expect(await sessionsLeft(accountId)).toBe(1);
});

test("pages that apps open in a popup on the way to consent keep their opener; all others have none", async () => {
  const { user } = await signedIn(service);
  const policyOf = async (path: string) => (await user.get(path)).headers.get("cross-origin-opener-policy");
  for (const path of ["/sign-in?again=1", "/sign-in/anything", "/sign-up", "/forgot", "/oauth/authorize"])
    expect([path, await policyOf(path)]).toEqual([path, "unsafe-none"]);
  for (const path of ["/", "/dashboard", "/dashboard/keys", "/docs", "/claim", "/sign-inside"])
    expect([path, await policyOf(path)]).toEqual([path, "same-origin"]);
});
