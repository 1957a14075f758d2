import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { principalOfKey } from "../../../../src/domain/credentials/identify.ts";
import { createKey, revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { eventsOf } from "../../../../src/domain/events/events.ts";
import { relayEvents } from "../../../../src/domain/events/relay.ts";
import { setRole } from "../../../../src/domain/people/members.ts";
import { openShare } from "../../../../src/domain/shares/open.ts";
import { createShare, endShare, endSharesOf, purgeShares, sharesOf } from "../../../../src/domain/shares/shares.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { newMember, ownerPrincipal } from "../../../support/database/people.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

let account: { id: string; key: string };
let owner: Principal;
let projectId: string;
beforeEach(async () => {
  account = await service.account({ credits: 10 });
  owner = await ownerPrincipal(db, account.id);
  const sent = { key: account.key, body: { urls: ["https://shop.example/"] } };
  projectId = (await service.request("POST", "/projects", sent)).json.project.id;
});

const share = (caller = owner, days = 30) =>
  db.tx((tx) => createShare(tx, { caller, projectId, host: null, title: "Spring", from: "", days, now: clock.now() }));
const open = (secret: string) => openShare(db, secret, clock.now());
const listed = async () => (await sharesOf(db, account.id, { limit: 200, offset: 0, now: clock.now() })).rows;

test("a share is opened by its secret, which is stored as a hash; when it was last opened is kept to the hour", async () => {
  const { row, secret } = await share();
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(await open(secret)).toMatchObject({ share: { id: row.id }, sharer: { accountId: account.id } });
  const [first] = await listed();
  expect(first!.lastSeenAt).toBe(clock.now());
  clock.pass(HOUR / 2);
  await open(secret);
  expect(await listed()).toEqual([first]);
  clock.pass(HOUR);
  await open(secret);
  expect((await listed())[0]!.lastSeenAt).toBe(clock.now());
});

describe("law: it ends", () => {
  const ends: Readonly<Record<string, (row: { id: string }) => Promise<unknown>>> = {
    "when it is ended": ({ id }) => db.tx((tx) => endShare(tx, { caller: owner, id, now: clock.now() })),
    "after its last day": async () => clock.pass(30 * DAY),
    "when the deletion of the account is requested": () => db.tx((tx) => endSharesOf(tx, account.id, clock.now())),
    "when its maker becomes a viewer": () =>
      db.tx((tx) => setRole(tx, { accountId: account.id, personId: owner.personId!, role: "viewer" })),
    "when its maker becomes a member, who does not share": () =>
      db.tx((tx) => setRole(tx, { accountId: account.id, personId: owner.personId!, role: "member" })),
    "with its project": () => db.tx(({ q, t }) => q.delete(t.projects)),
  };
  test.each(Object.entries(ends))("%s", async (name, end) => {
    const { row, secret } = await share();
    expect(await open(secret)).not.toBeNull();
    await end(row);
    expect(await open(secret)).toBeNull();
    if (name !== "with its project") expect(await listed()).toEqual([]);
  });

  test("with the key that made it, also by the key's last day", async () => {
    const now = clock.now();
    const make = async (expiresAt: number | null) => {
      const made = { accountId: account.id, name: "k", mode: "sandbox", expiresAt, now } as const;
      const key = (await principalOfKey(db, await db.tx((tx) => createKey(tx, made)), now))!;
      return { key, secret: (await share(key, 400)).secret };
    };
    const [revoked, expiring] = [await make(null), await make(now + DAY)];
    await db.tx((tx) => revokeKey(tx, revoked.key.credential.id, clock.now()));
    expect(await open(revoked.secret)).toBeNull();
    expect(await listed()).toHaveLength(1);
    clock.pass(DAY);
    expect(await open(expiring.secret)).toBeNull();
    expect(await listed()).toEqual([]);
  });
});

test("a credential ends what it has made alone; a manager ends any", async () => {
  const { row } = await share();
  const key = (await principalOfKey(db, account.key, clock.now()))!;
  const end = (caller: Principal) => db.tx((tx) => endShare(tx, { caller, id: row.id, now: clock.now() }));
  await expect(end(key)).rejects.toMatchObject({ code: "not_found" });
  const made = { accountId: account.id, email: "m@example.com", now: clock.now() };
  const as = async (role: "manager" | "member") => {
    const personId = await db.tx((tx) => newMember(tx, { ...made, role, email: `${role}.${account.id}@example.com` }));
    return { ...owner, personId, role, credential: { ...owner.credential, id: personId } };
  };
  await expect(end(await as("member"))).rejects.toMatchObject({ code: "not_found" });
  expect((await end(await as("manager"))).id).toBe(row.id);
});

test("it is an event, without the address, which goes to what a person made alone", async () => {
  const { row, secret } = await share();
  await relayEvents(db, [], () => clock.now());
  const events = await eventsOf(db, account.id, { after: null, type: null, projectId: null, limit: 10 });
  const made = events.rows.find(({ type }) => type === "share.created")!;
  expect(JSON.parse(made.data)).toMatchObject({ share_id: row.id, project_id: projectId, host: null, title: "Spring" });
  expect(made.data).not.toContain(secret);
});

test("it is kept for 30 days after its end, and the audit finds nothing wrong meanwhile", async () => {
  const ended = await share();
  await db.tx((tx) => endShare(tx, { caller: owner, id: ended.row.id, now: clock.now() }));
  await share(owner, 1);
  const rows = async () => (await db.q.select().from(db.t.shares)).filter((row) => row.accountId === account.id).length;
  clock.pass(30 * DAY - 1);
  await purgeShares(db, clock.now());
  expect(await rows()).toBe(2);
  expect((await audit(db)).problems.filter((problem) => problem.includes(ended.row.id))).toEqual([]);
  clock.pass(1);
  await purgeShares(db, clock.now());
  expect(await rows()).toBe(1);
  clock.pass(DAY);
  await purgeShares(db, clock.now());
  expect(await rows()).toBe(0);
});
