import { afterAll, beforeAll, expect, test } from "vitest";
import { PATHS } from "../../../../src/surfaces/website/shell/addresses.ts";
import { asOwner } from "../../../support/database/people.ts";
import { openPaymentPage } from "../../../support/payments/buy-page.ts";
import { testService } from "../../../support/service/service.ts";
import { connected, projectOf } from "../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn, User } from "../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PAGES = Object.values(PATHS);

let user: User;
let accountId: string;
const pages: PageSeen[] = [];
beforeAll(async () => {
  ({ user, accountId } = await signedIn(service, { email: "me@example.com" }));
  await projectOf(service, accountId, ["https://example.com/"]);
  await openPaymentPage(service, user, accountId);
  await connected(service, accountId);
  // A second browser, so that there is a form to sign it out.
  const other = await signedIn(service);
  await service.db.tx(async (tx) =>
    tx.q
      .update(tx.t.sessions)
      .set(await asOwner(tx, accountId))
      .returning(),
  );
  expect(other.accountId).not.toBe(accountId);
  const key = await user.get("/dashboard/keys");
  await user.submit(key, { name: "k" }, "/dashboard/keys");
  for (const path of PAGES) pages.push(await user.get(path));
});

test.each(PAGES)("303 %s: to sign in and back when signed out", async (path) => {
  const page = await new User(service).get(`${path}?page=2`);
  expect([page.status, page.location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(`${path}?page=2`)}`]);
});

test("303 /dashboard/projects/:id: leads to the sign-in and back, so that the dashboard_url of the API works", async () => {
  const { location } = await new User(service).get("/dashboard/projects/prj_0123456789abc");
  expect(location).toBe("/sign-in?return_to=%2Fdashboard%2Fprojects%2Fprj_0123456789abc");
});

test("200: every page shows who is signed in, the balance and its place, is not cached, and has no script or inline style", () => {
  pages.forEach((page, n) => {
    expect(page.status).toBe(200);
    expect(page.text).toContain("Signed in as me@example.com");
    expect(page.text).toMatch(/\d credits/);
    // The page of results is at no place of the navigation.
    const here = PAGES[n] === PATHS.search ? [] : [`<a href="${PAGES[n]}" aria-current="page">`];
    expect(page.html.match(/<a href="[^"]*" aria-current="page">/g) ?? []).toEqual(here);
    expect(page.forms.map(({ action }) => action)).toContain("/sign-out");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self';");
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)|\sstyle=|\son\w+=/);
  });
});

test("200: every link of every page works", async () => {
  const links = new Set(pages.flatMap(({ html }) => [...html.matchAll(/href="(\/[^"#]*)/g)].map(([, link]) => link!)));
  // Who is signed in already is led on from there.
  links.delete("/sign-in");
  for (const link of links) expect([link, (await user.get(link)).status]).toEqual([link, 200]);
});

test("403 forbidden_origin: every form, sent from another site or without its token, changes nothing", async () => {
  const forms = pages
    .flatMap((page) => page.forms)
    .filter(({ action, method }) => action.startsWith("/dashboard") && method === "post");
  const actions = new Set(forms.map(({ action }) => action.replace(/(key|grt|ses|per)_\w+/, "$1")));
  expect([...actions].sort()).toEqual([
    "/dashboard/apps/grt/disconnect",
    "/dashboard/buy",
    "/dashboard/keys",
    "/dashboard/keys/key/revoke",
    "/dashboard/notices",
    "/dashboard/people",
    "/dashboard/profile/name",
    "/dashboard/projects/new",
    "/dashboard/security/password",
    "/dashboard/security/sessions/end-others",
    "/dashboard/security/sessions/ses/end",
    "/dashboard/sites",
    "/dashboard/spending",
    "/dashboard/watches",
    "/dashboard/webhooks",
  ]);
  const before = await stateOf();
  for (const { action, fields } of forms) {
    const statuses = [
      await user.post(action, fields, { "Sec-Fetch-Site": "cross-site" }),
      await user.post(action, fields, { "Sec-Fetch-Site": "same-site" }),
      await user.post(
        action,
        fields.filter(([name]) => name !== "token"),
      ),
      await user.post(
        action,
        fields.map(([name, value]) => [name, name === "token" ? "x".repeat(43) : value]),
      ),
    ].map(({ status }) => status);
    expect([action, ...statuses]).toEqual([action, 403, 403, 403, 403]);
  }
  expect(await stateOf()).toEqual(before);
});

test("303 to sign in: every form, sent when signed out, changes nothing", async () => {
  const stranger = new User(service);
  const { forms } = await stranger.get("/sign-in");
  const token = forms.flatMap(({ fields }) => fields).find(([name]) => name === "token")!;
  const before = await stateOf();
  for (const { action, method, fields } of pages.flatMap((page) => page.forms)) {
    if (!action.startsWith("/dashboard") || method !== "post") continue;
    const page = await stranger.post(action, [...fields.filter(([name]) => name !== "token"), token]);
    // What was typed into the form of a new project is in the answer.
    const answer = action === PATHS.newProject ? [401, null] : [303, "/sign-in"];
    expect([action, page.status, page.location]).toEqual([action, ...answer]);
  }
  expect(await stateOf()).toEqual(before);
});

async function stateOf() {
  const { q, t } = service.db;
  const keys = (await q.select().from(t.apiKeys)).map(({ id, revokedAt }) => [id, revokedAt]);
  const grants = (await q.select().from(t.grants)).map(({ id, revokedAt }) => [id, revokedAt]);
  const sessions = (await q.select().from(t.sessions)).map(({ id }) => id);
  return {
    keys,
    grants,
    sessions,
    accounts: await q.select().from(t.accounts),
    orders: await q.select().from(t.orders),
  };
}
