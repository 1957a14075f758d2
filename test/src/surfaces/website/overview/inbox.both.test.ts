import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { countInbox, sumOf } from "../../../../../src/domain/inbox/count.ts";
import { readInbox } from "../../../../../src/domain/inbox/read.ts";
import type { InboxOwner } from "../../../../../src/domain/inbox/waiting.ts";
import { openSession } from "../../../../../src/domain/users/sessions.ts";
import { DAY, HOUR } from "../../../../../src/platform/clock.ts";
import { newProjectId } from "../../../../../src/platform/ids.ts";
import type { Role } from "../../../../../src/platform/principal.ts";
import { newMember, ownerOf } from "../../../../support/database/people.ts";
import { urlset } from "../../../../support/network/sitemap-server.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import {
  askedApproval,
  completedProject,
  failingConnection,
  failingWebhook,
  heldWatch,
} from "../../../../support/website/inbox.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

const PATH = "/dashboard";

/** The number beside the overview in the header of a page; 0 where there is none. */
const counted = (html: string) => Number(/Overview<span class="count">(\d+)/.exec(html)?.[1] ?? 0);

async function ownerOfInbox(accountId: string, role: Role = "owner"): Promise<InboxOwner> {
  return { accountId, personId: await ownerOf(db, accountId), role };
}

/** Another member of an account, who is signed in. */
async function memberOf(accountId: string, role: Role) {
  const now = clock.now();
  const user = new User(service);
  const personId = await db.tx(async (tx) => {
    const made = await newMember(tx, { accountId, role, email: `${role}.of.${accountId}@example.com`, now });
    user.cookies.set("sid", await openSession(tx, { personId: made, browser: "Firefox", ip: "127.0.0.1", now }));
    return made;
  });
  return { user, personId };
}

const times = () => ({ now: clock.now(), service: clock.service() });

/** An account with one thing of each kind. */
async function fullInbox() {
  const { user, accountId } = await signedIn(service);
  return {
    user,
    accountId,
    approval: await askedApproval(service, accountId, HOSTILE),
    watch: await heldWatch(service, accountId, `https://${accountId.replace("_", "-")}.example/sitemap.xml`),
    connection: await failingConnection(service, accountId),
    webhook: await failingWebhook(service, accountId),
    project: await completedProject(service, accountId, HOSTILE),
  };
}

test("200: one line for each thing, with its button, counted in the header of every page; nothing of it in another account", async () => {
  const { user, approval, watch, webhook, project } = await fullInbox();
  const { html, text, forms } = await user.get(PATH);
  expect(counted(html)).toBe(5);
  expect(counted((await user.get("/dashboard/people")).html)).toBe(5);
  expect(text).toContain(`“${HOSTILE}” asks to spend 8 credits`);
  expect(text).toContain("submit_urls 8 URLs of example.com, News");
  expect(text).toContain("0 new, 7 changed and 0 removed of 9 known pages");
  expect(text).toContain("Continue for at most 7 credits");
  expect(text).toContain("Search Console gives no access ann@example.com, 1 day ago. The access was revoked there");
  expect(text).toContain("hooks.example.com does not take our messages It failed first 2 hours ago");
  expect(text).toContain(`${HOSTILE}: 6 of 8 in Google just now. 2 credits returned.`);
  expect(html).not.toContain("<b onclick");
  expect(forms.map(({ action }) => action)).toEqual([
    "/sign-out",
    `/dashboard/approvals/${approval}`,
    `/dashboard/watches/${watch}/run`,
    `/dashboard/webhooks/${webhook}/status`,
    `/dashboard/results/${project}`,
  ]);
  const other = await signedIn(service);
  expect(counted((await other.user.get(PATH)).html)).toBe(0);
});

test("303: an approval that is given or refused on the overview leads back there, and is gone", async () => {
  const { user, accountId } = await signedIn(service);
  const ids = [await askedApproval(service, accountId, "One"), await askedApproval(service, accountId, "Two")];
  for (const [at, decision, sentence] of [
    [0, "yes", "Approved. The same call goes through once"],
    [1, "no", "Refused. Nothing was spent."],
  ] as const) {
    const done = await user.submit(await user.get(PATH), { decision }, `/dashboard/approvals/${ids[at]}`);
    expect([done.status, done.location]).toEqual([303, `/dashboard?done=${decision}`]);
    const after = await user.follow(done);
    expect(after.text).toContain(sentence);
    expect(counted(after.html)).toBe(1 - at);
  }
});

test("303 to sign in again: an approval is given by somebody who has proved lately who they are, who then comes back to the overview", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await askedApproval(service, accountId);
  const page = await user.get(PATH);
  await db.tx((tx) =>
    tx.q.update(tx.t.sessions).set({ authenticatedAt: 0 }).where(eq(tx.t.sessions.accountId, accountId)).returning(),
  );
  const asked = await user.submit(page, { decision: "yes" }, `/dashboard/approvals/${id}`);
  expect(asked.location).toBe("/sign-in?return_to=%2Fdashboard&again=1");
  expect(counted((await user.get(PATH)).html)).toBe(1);
});

test("303: a webhook that fails is paused where it stands", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await failingWebhook(service, accountId);
  const done = await user.submit(await user.get(PATH), {}, `/dashboard/webhooks/${id}/status`);
  expect(done.location).toBe("/dashboard?done=paused");
  expect(counted((await user.follow(done)).html)).toBe(0);
});

test("303: a held run goes on for what its button says and for the pages that it showed, leads back to the overview, and is gone", async () => {
  const { user } = await signedIn(service);
  const serve = (count: number) =>
    service.site.serve("/held.xml", urlset(Array.from({ length: count }, (_, no) => `https://held.example/${no}`)));
  const url = serve(40);
  const settings = { credits: "120", most: "100", every: "week", new: "submit", changed: "ignore" };
  const made = await user.submit(await user.get("/dashboard/watches"), { url, ...settings }, "/dashboard/watches");
  const path = made.location!.split("?")[0]!;
  await user.submit(await user.get(path), {}, `${path}/run`);
  serve(65);
  await user.submit(await user.get(path), {}, `${path}/run`);
  const page = await user.get(PATH);
  expect(page.text).toContain("25 new, 0 changed and 0 removed of 40 known pages");
  expect(page.text).toContain("Continue for at most 25 credits");
  serve(90);
  const changed = await user.submit(page, {}, `${path}/run`);
  expect(changed.location).toBe("/dashboard?done=changed");
  const again = await user.follow(changed);
  expect([counted(again.html), again.text.includes("Continue for at most 50 credits")]).toEqual([1, true]);
  const done = await user.submit(again, {}, `${path}/run`);
  expect(done.location).toBe("/dashboard?done=released");
  expect((await user.follow(done)).text).not.toContain("Held run");
});

test("results of a project that is opened, from the inbox or its list, or marked as seen are gone; a viewer leaves them to others", async () => {
  const { user, accountId } = await signedIn(service);
  const [first, second, third, fourth] = [
    await completedProject(service, accountId, "A"),
    await completedProject(service, accountId, "B"),
    await completedProject(service, accountId, "C"),
    await completedProject(service, accountId, "D"),
  ];
  expect(counted((await user.get(PATH)).html)).toBe(4);
  const viewer = (await memberOf(accountId, "viewer")).user;
  expect((await viewer.get(`/dashboard/projects/${first}`)).status).toBe(200);
  expect(counted((await user.get(PATH)).html)).toBe(4);
  expect((await user.get(PATH)).html).toContain(`<a href="/dashboard/projects/${first}">`);
  expect(counted((await user.get(`/dashboard/projects/${first}`)).html)).toBe(3);
  const seen = await user.submit(await user.get(PATH), {}, `/dashboard/results/${second}`);
  expect([seen.location, counted((await user.follow(seen)).html)]).toEqual([PATH, 2]);
  const stranger = await signedIn(service);
  expect((await stranger.user.get(`/dashboard/projects/${third}`)).status).toBe(404);
  const [[token]] = [(await stranger.user.get(PATH)).forms[0]!.fields.filter(([name]) => name === "token")];
  await stranger.user.post(`/dashboard/results/${third}`, [token!]);
  expect(counted((await user.get(PATH)).html)).toBe(2);
  await user.submit(await user.get(PATH), {}, "/dashboard/results");
  const after = await user.get(PATH);
  expect([counted(after.html), after.text.includes("Nothing needs you now")]).toEqual([0, true]);
  expect(fourth).not.toBe(third);
});

test("law: what the header counts is what the overview lists, for each role, and a viewer has nothing to do", async () => {
  const { accountId } = await fullInbox();
  const limits = { approvals: 9, runs: 9, connections: 9, webhooks: 9, results: 9 };
  for (const [role, expected] of [
    ["owner", 5],
    ["manager", 5],
    ["member", 3],
    ["viewer", 0],
  ] as const) {
    const owner = { ...(await ownerOfInbox(accountId, role)), personId: "somebody else" };
    const listed = await readInbox(db, owner, { ...times(), limits });
    expect([role, Object.values(listed).flat().length]).toEqual([role, expected]);
    expect([role, sumOf(await countInbox(db, owner, times()))]).toEqual([role, expected]);
  }
});

test("a manager is not asked to approve a call of a credential of their own", async () => {
  const { accountId } = await signedIn(service);
  await askedApproval(service, accountId);
  const { user: manager, personId } = await memberOf(accountId, "manager");
  expect(counted((await manager.get(PATH)).html)).toBe(1);
  await db.tx((tx) =>
    tx.q.update(tx.t.grants).set({ personId }).where(eq(tx.t.grants.accountId, accountId)).returning(),
  );
  expect(counted((await manager.get(PATH)).html)).toBe(0);
});

test("an approval is gone when its time is over, and when its caller has ended", async () => {
  const { accountId } = await signedIn(service);
  const owner = await ownerOfInbox(accountId);
  const count = async (at = times()) => (await countInbox(db, owner, at)).approvals;
  await askedApproval(service, accountId);
  expect(await count()).toBe(1);
  expect(await count({ ...times(), now: clock.now() + DAY })).toBe(0);
  const { approvals, budgets } = db.t;
  const [row] = await db.q.select().from(approvals).where(eq(approvals.accountId, accountId));
  await db.tx((tx) =>
    tx.q.update(budgets).set({ expiresAt: clock.now() }).where(eq(budgets.holder, row!.holder)).returning(),
  );
  expect(await count()).toBe(0);
});

test("results of day 4 come when Google was asked about every page for the first time, and those of day 14 at the end; each is there for seven days", async () => {
  const { accountId } = await signedIn(service);
  const checker = testChecker(service);
  const owner = await ownerOfInbox(accountId);
  const limits = { approvals: 0, runs: 0, connections: 0, webhooks: 0, results: 9 };
  const results = async () =>
    (await readInbox(db, owner, { ...times(), limits })).results.map(({ isFinal }) => (isFinal ? "day 14" : "day 4"));
  await projectOf(
    service,
    accountId,
    Array.from({ length: 40 }, (_, n) => `https://results.example/${n}`),
  );
  const begun = clock.service();
  const at = async (days: number) => {
    await checker.until(begun + days * DAY);
    return results();
  };
  expect(await at(3.9)).toEqual([]);
  expect(await at(4.2)).toEqual(["day 4"]);
  expect(await at(10.9)).toEqual(["day 4"]);
  expect(await at(11.2)).toEqual([]);
  const [project] = await db.q.select().from(db.t.projects).where(eq(db.t.projects.accountId, accountId));
  const last = await at(17);
  expect([project!.status, last]).toEqual(["active", ["day 14"]]);
  expect(await at(30)).toEqual([]);
}, 60_000);

test("an inbox of 300 is cut, says how many more there are, and is counted whole", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await completedProject(service, accountId, "Many");
  const { projects } = db.t;
  const [row] = await db.q.select().from(projects).where(eq(projects.id, id));
  const { no: _, ...copy } = row!;
  const rows = Array.from({ length: 299 }, () => ({ ...copy, id: newProjectId() }));
  await db.tx((tx) => tx.q.insert(projects).values(rows).returning({ id: projects.id }));
  const page = await user.get(PATH);
  expect(page.text).toContain("and 290 more results");
  expect(page.html).toContain('Overview<span class="count">99+');
  expect(page.html.match(/<span class="kind good">/g)).toHaveLength(10);
});

test("a webhook that failed an hour ago for the first time is no news yet; a disabled one is, until it is made active", async () => {
  const { accountId } = await signedIn(service);
  const owner = await ownerOfInbox(accountId);
  const id = await failingWebhook(service, accountId);
  const { webhooks } = db.t;
  const count = async (set: object) => {
    await db.tx((tx) => tx.q.update(webhooks).set(set).where(eq(webhooks.id, id)).returning());
    return (await countInbox(db, owner, times())).webhooks;
  };
  expect(await count({ failingSince: clock.now() - HOUR + 1 })).toBe(0);
  expect(await count({ status: "disabled" })).toBe(1);
  expect(await count({ status: "active", failingSince: null })).toBe(0);
});

test("low credits are one thing, for whoever may buy some, below the threshold of the account", async () => {
  const { user, accountId } = await signedIn(service);
  await projectOf(
    service,
    accountId,
    Array.from({ length: 50 }, (_, n) => `https://low.example/${n}`),
  );
  expect(counted((await user.get(PATH)).html)).toBe(0);
  await projectOf(service, accountId, ["https://low.example/more"]);
  const { html, text } = await user.get(PATH);
  expect([counted(html), text.includes("Only 99 credits left")]).toEqual([1, true]);
  const owner = await ownerOfInbox(accountId, "member");
  expect((await countInbox(db, owner, times())).lowCredits).toBe(false);
});
