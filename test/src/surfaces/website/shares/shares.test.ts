import { afterAll, beforeEach, expect, test } from "vitest";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { relayEvents } from "../../../../../src/domain/events/relay.ts";
import { noticeConsumer } from "../../../../../src/domain/notices/queue-notices.ts";
import { openSession } from "../../../../../src/domain/users/sessions.ts";
import { secretBoxOf } from "../../../../../src/platform/config/secrets-key.ts";
import type { Role } from "../../../../../src/platform/principal.ts";
import { newMember, securityLogOf } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { giveFactors, showFactorIn } from "../../../../support/website/factors.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/shares";
let user: User;
let accountId: string;
let email: string;
let projectId: string;
beforeEach(async () => {
  ({ user, accountId, email } = await signedIn(service));
  const now = clock.now();
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now }));
  const body = { urls: ["https://shop.example/"], name: "Spring & summer" };
  projectId = (await service.request("POST", "/projects", { key, body })).json.project.id;
});

const form = () => user.get(`${PATH}/new?project=${projectId}`);
const linkIn = (text: string) => /http:\/\/beckon\.test(\/shared\/shs_[\w-]{43})/.exec(text)?.[1];

async function colleague(role: Role): Promise<User> {
  const other = new User(service);
  const now = clock.now();
  await db.tx(async (tx) => {
    const personId = await newMember(tx, { accountId, role, email: `${role}.${email}`, now });
    other.cookies.set("sid", await openSession(tx, { personId, browser: "Firefox", ip: "127.0.0.1", now }));
  });
  return other;
}

test("from the page of a project to its link in two forms; the link opens without an account, and is shown once", async () => {
  const project = await user.get(`/dashboard/projects/${projectId}`);
  expect(project.html).toContain(`href="${PATH}/new?project=${projectId}"`);
  const made = await user.submit(await form(), { title: "Our spring", from: "An agency", ends: "7" }, PATH);
  expect(made.status).toBe(200);
  expect(made.headers.get("cache-control")).toContain("no-transform");
  const path = linkIn(made.text)!;
  const seen = await new User(service).get(path);
  expect([seen.status, seen.text.includes("Our spring From An agency")]).toEqual([200, true]);
  const list = await user.get(PATH);
  expect(list.text).toContain("Our spring");
  expect(list.text).toContain("Last opened");
  expect(list.html).not.toContain("shs_");
  const { rows } = await securityLogOf(db, accountId, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "share_made", subject: "Our spring" });
});

test("303: it is ended on the list, and nobody reads anything by it", async () => {
  const path = linkIn((await user.submit(await form(), {}, PATH)).text)!;
  const list = await user.get(PATH);
  const { action } = list.forms.find((one) => one.action.endsWith("/end"))!;
  const ended = await user.submit(list, {}, action);
  expect([ended.status, ended.location]).toEqual([303, `${PATH}?done=ended`]);
  expect((await user.follow(ended)).text).toContain("Nothing is shared.");
  expect((await new User(service).get(path)).status).toBe(404);
});

test("the owner is mailed, without the link", async () => {
  await user.submit(await form(), { title: "Our spring" }, PATH);
  const { mailer, config } = service;
  const deps = { mailer, siteUrl: config.siteUrl, secretBox: secretBoxOf(config), seller: [] };
  await relayEvents(db, [noticeConsumer(deps)], () => clock.now());
  const mails = service.outbox.filter(({ to, subject }) => to === email && subject.includes("shared by a link"));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain("“Our spring”");
  expect(mails[0]!.text).not.toContain("shs_");
});

test("400: a title that is too long is told at its field, and what was typed stays", async () => {
  const { status, text, html } = await user.submit(await form(), { title: "x".repeat(121) }, PATH);
  expect([status, text.includes("at most 120 characters")]).toEqual([400, true]);
  expect(html).toContain("x".repeat(121));
});

test("404: nothing to share, another account's project, a host without pages", async () => {
  for (const query of ["", "?project=prj_0123456789abc"])
    expect((await user.get(`${PATH}/new${query}`)).status).toBe(404);
  const host = await user.get(`${PATH}/new?host=nowhere.example`);
  expect(host.text).toContain("nowhere.example");
  expect((await user.submit(host, {}, PATH)).text).toContain("has no pages of this host");
});

test("403: a member and a viewer see what is shared, and neither share nor end", async () => {
  await user.submit(await form(), {}, PATH);
  for (const role of ["member", "viewer"] as const) {
    const other = await colleague(role);
    const list = await other.get(PATH);
    expect([role, list.status, list.text.includes("Spring & summer")]).toEqual([role, 200, true]);
    expect(list.forms.filter(({ action }) => action.startsWith(PATH))).toEqual([]);
    expect((await other.get(`${PATH}/new?project=${projectId}`)).status).toBe(403);
    expect((await other.get(`/dashboard/projects/${projectId}`)).html).not.toContain(`${PATH}/new`);
  }
  expect((await (await colleague("manager")).get(`${PATH}/new?project=${projectId}`)).status).toBe(200);
});

test("303: with a factor that was not shown lately, it is asked for before anything is shared", async () => {
  await giveFactors(service, secretBoxOf(service.config), accountId);
  const page = await form();
  const asked = await user.submit(page, {}, PATH);
  expect([asked.status, asked.location?.startsWith("/sign-in?")]).toEqual([303, true]);
  await showFactorIn(service, accountId);
  expect(linkIn((await user.submit(await form(), {}, PATH)).text)).toBeDefined();
});
