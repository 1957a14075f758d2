import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { saveConnection } from "../../../../../src/domain/connections/save.ts";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { requestExport } from "../../../../../src/domain/exports/exports.ts";
import { createGrant } from "../../../../../src/domain/oauth/grants.ts";
import { createInvitation } from "../../../../../src/domain/people/invitations.ts";
import { approvalsOf, decideApproval, requestApproval } from "../../../../../src/domain/spending/approvals.ts";
import { openSession } from "../../../../../src/domain/users/sessions.ts";
import { secretBoxOf } from "../../../../../src/platform/config/secrets-key.ts";
import type { Role } from "../../../../../src/platform/principal.ts";
import { newMember, ownerOf } from "../../../../support/database/people.ts";
import { urlset } from "../../../../support/network/sitemap-server.ts";
import { testService } from "../../../../support/service/service.ts";
import { User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;
const box = secretBoxOf(service.config);

const PEOPLE = "/dashboard/people";
const CONNECTIONS = "/dashboard/connections";

interface Somebody {
  readonly personId: string;
  readonly email: string;
  readonly user: User;
}

let accountId: string;
let keyOfOwner: string;
let owner: Somebody;
beforeEach(async () => {
  ({ id: accountId, key: keyOfOwner } = await service.account({ credits: 100 }));
  owner = await signIn(await ownerOf(db, accountId), "");
});

async function signIn(personId: string, email: string): Promise<Somebody> {
  const user = new User(service);
  const session = { personId, browser: "Firefox", ip: "127.0.0.1", now: clock.now() };
  user.cookies.set("sid", await db.tx((tx) => openSession(tx, session)));
  return { personId, email, user };
}

async function memberWith(role: Role): Promise<Somebody> {
  const email = `${role}.${randomUUID()}@example.com`;
  return signIn(await db.tx((tx) => newMember(tx, { accountId, role, email, now: clock.now() })), email);
}

const connect = (personId: string, subject: string) => {
  const made = { accountId, personId, kind: "search_console", subject, name: `${subject}@example.com` } as const;
  return db.tx((tx) =>
    saveConnection(tx, box, { ...made, scopes: "", secret: "s", properties: [], ip: "::1", now: clock.now() }),
  );
};

/** Makes one of everything as somebody. */
async function makeAll({ personId, user, email }: Somebody) {
  const now = clock.now();
  const make = { accountId, personId, now };
  const key = await db.tx((tx) => createKey(tx, { ...make, name: "theirs", mode: "sandbox" }));
  const { json: hook } = await service.request("POST", "/webhooks", { key, body: { url: "http://127.0.0.1:9/key" } });
  const sitemap_url = service.site.serve(`/${personId}.xml`, urlset(["https://example.com/"]));
  const { json: watched } = await service.request("POST", "/watches", { key, body: { sitemap_url } });
  await user.submit(await user.get("/dashboard/webhooks"), { url: "http://127.0.0.1:9/page" }, "/dashboard/webhooks");
  const connection = await connect(personId, email);
  const purpose = { name: "n", description: "d", sitemap: null, count: 1, hosts: [], otherHosts: 0, urls: [] };
  const call = { operation: "submit_urls", inputHash: "i", digest: "d", about: JSON.stringify(purpose) };
  const asked = { ...call, credits: 9, holder: "x" };
  await db.tx(async (tx) => {
    const grant = await createGrant(tx, { ...make, kind: "oauth", clientId: "x", name: "x", scopes: ["index"] });
    await requestApproval(tx, { ...asked, accountId, credential: grant, credentialName: "asks", now });
    await createInvitation(tx, { ...make, email: `${randomUUID()}@example.com`, role: "viewer" });
    await requestExport(tx, make, now);
    const other = await createGrant(tx, { accountId, kind: "oauth", clientId: "y", name: "y", scopes: ["index"], now });
    const given = await requestApproval(tx, { ...asked, accountId, credential: other, credentialName: "given", now });
    await decideApproval(tx, accountId, { id: given!.id, personId, isApproved: true, now });
  });
  return { key, webhook: hook.webhook.id, watch: watched.watch.id, connection };
}

/** What there is in the account, by whose it is. */
async function state() {
  const { apiKeys, grants, watches, webhooks, connections, invitations, exports } = db.t;
  const rows = async <T extends { accountId: string }>(all: Promise<T[]>) =>
    (await all).filter((row) => row.accountId === accountId);
  return {
    keys: (await rows(db.q.select().from(apiKeys))).flatMap((one) => (one.revokedAt ? [] : one.personId)),
    grants: (await rows(db.q.select().from(grants))).flatMap((one) => (one.revokedAt ? [] : one.personId)),
    watches: (await rows(db.q.select().from(watches))).map(({ status }) => status),
    webhooks: (await rows(db.q.select().from(webhooks))).map(({ maker }) => maker.slice(0, 3)).sort(),
    connections: (await rows(db.q.select().from(connections))).flatMap((one) => (one.endedAt ? [] : one.personId)),
    invitations: (await rows(db.q.select().from(invitations))).length,
    exports: (await rows(db.q.select().from(exports))).length,
    approvals: (await approvalsOf(db, accountId, 9)).map((one) => [one.credentialName, one.status]).sort(),
  };
}

const remove = async (personId: string, made: string) =>
  (await owner.user.submit(await owner.user.get(PEOPLE), { made }, `${PEOPLE}/${personId}/remove`)).status;
const isAccepted = async (key: string) => (await service.request("GET", "/account", { key })).status;

test("law: what a removed member made ends: keys, apps, watches, webhooks, connections, invitations, exports, approvals", async () => {
  const manager = await memberWith("manager");
  const { key, watch } = await makeAll(manager);
  expect(await state()).toMatchObject({
    invitations: 1,
    exports: 1,
    watches: ["active"],
    connections: [manager.personId],
  });
  expect(await remove(manager.personId, "ends")).toBe(303);
  expect(await isAccepted(key)).toBe(401);
  expect(await state()).toMatchObject({
    ...{ keys: [owner.personId], grants: [owner.personId], watches: ["paused"], connections: [] },
    ...{ invitations: 0, exports: 0 },
    approvals: [
      ["asks", "ended"],
      ["given", "ended"],
    ],
  });
  const told = (await service.request("GET", "/events?type=watch.held", { key: keyOfOwner })).json.events;
  expect(told).toMatchObject([{ data: { watch_id: watch, reason: "credential_ended" } }]);
  const hooks = (await service.request("GET", "/webhooks", { key: keyOfOwner })).json.webhooks as { status: string }[];
  const { webhookDeliveries } = db.t;
  await service.request("POST", "/projects", { key: keyOfOwner, body: { urls: ["https://example.com/a"] } });
  expect(hooks.length).toBeGreaterThan(0);
  const sent = await db.q.select().from(webhookDeliveries);
  expect(sent.filter((one) => one.accountId === accountId && one.status === "succeeded")).toEqual([]);
});

test("law: what is handed over goes on as the heir's; invitations, exports and unused approvals end all the same", async () => {
  const manager = await memberWith("manager");
  const heir = await memberWith("viewer");
  const { key } = await makeAll(manager);
  expect(await remove(manager.personId, heir.personId)).toBe(303);
  expect(await state()).toMatchObject({
    ...{ connections: [heir.personId], invitations: 0, exports: 0, watches: ["active"] },
    approvals: [
      ["asks", "open"],
      ["given", "ended"],
    ],
  });
  expect((await state()).keys.sort()).toEqual([owner.personId, heir.personId].sort());
  expect(await isAccepted(key)).toBe(200);
  const body = { urls: ["https://example.com/b"] };
  expect((await service.request("POST", "/projects", { key, body })).status).toBe(403);
});

test("an approval that nobody has used ends when whoever gave it may approve no more", async () => {
  const manager = await memberWith("manager");
  await makeAll(manager);
  const path = `${PEOPLE}/${manager.personId}/role`;
  await owner.user.submit(await owner.user.get(PEOPLE), { role: "owner" }, path);
  expect((await state()).approvals).toContainEqual(["given", "approved"]);
  await owner.user.submit(await owner.user.get(PEOPLE), { role: "member" }, path);
  expect((await state()).approvals).toContainEqual(["given", "ended"]);
});

test("a manager ends the connections of their own alone; an owner ends any, and each page says whose they are", async () => {
  const [manager, other] = [await memberWith("manager"), await memberWith("manager")];
  const [own, others] = [await connect(manager.personId, "own"), await connect(other.personId, "others")];
  const end = async ({ user }: Somebody, id: string | null) => {
    const { forms } = await user.get("/dashboard/accounts");
    const { token } = Object.fromEntries(forms[0]!.fields);
    return (await user.post(`${CONNECTIONS}/${id}/end`, [["token", token!]])).status;
  };
  const page = await manager.user.get(CONNECTIONS);
  expect(page.text).toContain("Connected by you");
  expect(page.text).toContain(`Connected by ${other.email}`);
  expect(page.forms.map(({ action }) => action)).not.toContain(`${CONNECTIONS}/${others}/end`);
  expect([await end(manager, others), await end(manager, own), await end(owner, others)]).toEqual([404, 303, 303]);
});

test("the pages of a project and of an approval say whose they are; addresses only to those who manage people", async () => {
  const member = await memberWith("member");
  const viewer = await memberWith("viewer");
  const manager = await memberWith("manager");
  await makeAll(manager);
  const given = (await approvalsOf(db, accountId, 9)).find((one) => one.credentialName === "given")!;
  const approval = async ({ user }: Somebody) => (await user.get(`/dashboard/approvals/${given.id}`)).text;
  expect(await approval(owner)).toContain(`Decided by ${manager.email}`);
  expect(await approval(viewer)).toContain("Decided by the manager");
  const { personId } = member;
  const key = await db.tx((tx) => createKey(tx, { accountId, personId, name: "k", mode: "sandbox", now: clock.now() }));
  const body = { urls: ["https://example.com/c"] };
  const project = (await service.request("POST", "/projects", { key, body })).json.project;
  const text = async ({ user }: Somebody) => (await user.get(`/dashboard/projects/${project.id}`)).text;
  expect(await text(member)).toContain("By you");
  expect(await text(owner)).toContain(`By ${member.email}`);
  expect(await text(viewer)).toContain("By the member");
  expect(await remove(member.personId, "ends")).toBe(303);
  expect(await text(owner)).toContain("By a former member");
});

test("404 for an export that another person has requested: it holds how they sign in", async () => {
  const manager = await memberWith("manager");
  await db.tx((tx) => requestExport(tx, { accountId, personId: manager.personId }, clock.now()));
  expect((await manager.user.get("/dashboard/security/export")).text).not.toContain("It is made in the background");
  expect((await owner.user.get("/dashboard/security/export")).text).toContain("It is made in the background");
  const { exports } = db.t;
  const [row] = (await db.q.select().from(exports)).filter((one) => one.accountId === accountId);
  expect((await owner.user.get(`/dashboard/security/export/${row!.id}`)).status).toBe(404);
});
