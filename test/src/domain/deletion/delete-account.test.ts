import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { accountById, createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { activeKeys, createKey, createKeyOnce } from "../../../../src/domain/credentials/keys.ts";
import { deleteAccounts } from "../../../../src/domain/deletion/delete-account.ts";
import { previewDeletion } from "../../../../src/domain/deletion/preview.ts";
import { keepAccount, requestDeletion } from "../../../../src/domain/deletion/request-deletion.ts";
import { deletionOf } from "../../../../src/domain/deletion/requests.ts";
import { entriesOf, post } from "../../../../src/domain/ledger/ledger.ts";
import { createGrant, grantsOf } from "../../../../src/domain/oauth/grants.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { confirmAddressChange, requestAddressChange } from "../../../../src/domain/users/change-address.ts";
import { requestPasswordReset } from "../../../../src/domain/users/reset.ts";
import { lockSession, type Session, sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { DEMO_EMAIL } from "../../../../src/domain/users/sign-in-links.ts";
import { undoAddressChange } from "../../../../src/domain/users/undo-address.ts";
import { changeRow, RunLost, takeRevision } from "../../../../src/domain/watches/commit-run.ts";
import { saveWatch } from "../../../../src/domain/watches/save-watch.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { keyPrincipal } from "../../../support/database/key-principal.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { pages } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);
const EMAIL = "ann@example.com";
const ANN = visitor("ann's laptop");

let id: string;
let session: Session;
beforeEach(async () => {
  id = await t.member(EMAIL);
  await t.store.db.tx((tx) => bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], now: now() }));
  session = await openSession();
});

const now = () => t.store.clock.now();
const times = () => ({ now: now(), service: t.store.clock.service() });
const openSession = async () => (await sessionOf(t.store.db, await t.session(id), now()))!;
const request = (typed = EMAIL, by = session) =>
  requestDeletion(t.services, { session: by, typed, visitor: ANN, times: times() });
const keep = async () => keepAccount(t.services, { session: await openSession(), visitor: ANN, times: times() });
const carryOut = (db: Engine = t.store.db) => deleteAccounts({ ...t.services, db }, times());
const account = () => accountById(t.store.db, id);
const problems = async () => (await audit(t.store.db)).problems;
const ledger = async () =>
  (await entriesOf(t.store.db, id, { limit: 100, offset: 0 })).rows.map(({ kind, credits, source }) => [
    kind,
    credits,
    source,
  ]);

test("at once credentials and other sessions end, unsent links are cancelled, and their credits returned", async () => {
  const { db } = t.store;
  const other = await t.session(id);
  await db.tx(async (tx) => {
    await createKey(tx, { accountId: id, name: "CI", mode: "sandbox", now: now() });
    for (const kind of ["oauth", "agent"] as const)
      await createGrant(tx, { accountId: id, kind, clientId: null, name: kind, scopes: ["read"], now: now() });
  });
  const projects = [await t.store.index(id, pages(3), { dripDays: 7 }), await t.store.check(id, pages(20))];
  expect((await account()).credits).toBe(150 - 3 - 2);
  await request();
  expect([await activeKeys(db, id, now()), await grantsOf(db, id)]).toEqual([0, []]);
  expect([await sessionOf(db, other, now()), (await openSession()).deletionDueAt]).toEqual([null, now() + 7 * DAY]);
  for (const project of projects) expect((await t.store.reload(project)).status).toBe("completed");
  expect((await account()).credits).toBe(150);
  expect(await problems()).toEqual([]);
  expect(t.outbox.map(({ to, subject }) => [to, subject])).toEqual([[EMAIL, "Your Beckon account will be deleted"]]);
  expect(await t.events(id)).toContain("deletion_requested");
});

test.each(["", "bob@example.com", "ann", "delete"])(
  "400 invalid_request: %j is not its address; nothing ends",
  async (typed) => {
    await t.store.index(id, pages(3), { dripDays: 7 });
    expect(await codeOf(request(typed))).toBe("invalid_request");
    expect([await deletionOf(t.store.db, id), t.outbox]).toEqual([null, []]);
    expect((await account()).credits).toBe(147);
  },
);

test("400 invalid_request: the demo account of a sandbox", async () => {
  id = await t.store.db.tx(async (tx) => (await createAccount(tx, { email: DEMO_EMAIL, now: now() })).id);
  expect(await codeOf(request(DEMO_EMAIL, await openSession()))).toBe("invalid_request");
});

test("requested again, and by two browsers at once: one deletion, and one mail", async () => {
  const again = await openSession();
  // Whichever comes first ends the session of the other.
  const outcomes = await Promise.allSettled([request(), request(EMAIL, again)]);
  expect(outcomes.map(({ status }) => status)).toContain("fulfilled");
  expect(await deletionOf(t.store.db, id)).not.toBeNull();
  expect(t.outbox).toHaveLength(1);
});

test("law: nothing is done in a session from before the request: a key made at the same moment is not there", async () => {
  const { db } = t.store;
  const key = { id: "key_x", accountId: id, name: "late", mode: "sandbox" } as const;
  const make = () =>
    db.tx(async (tx) => {
      await lockSession(tx, session, now());
      return createKeyOnce(tx, { ...key, now: now() });
    });
  await Promise.allSettled([request(), make()]);
  await expect(make()).rejects.toThrow();
  expect(await activeKeys(db, id, now())).toBe(0);
});

test("the account is deleted on the seventh day and not an hour earlier; what is left of its credits is booked to zero", async () => {
  await request();
  for (let hour = 1; hour < 7 * 24; hour++) {
    t.store.clock.pass(HOUR);
    await carryOut();
  }
  expect((await account()).deletedAt).toBeNull();
  t.store.clock.pass(HOUR);
  await carryOut();
  expect(await account()).toMatchObject({
    ...{ credits: 0, deletedAt: now(), name: "" },
    email: "",
  });
  expect((await ledger())[0]).toEqual(["adjustment", -150, "account_deleted"]);
  expect(await deletionOf(t.store.db, id)).toBeNull();
  expect(await problems()).toEqual([]);
  expect(t.outbox.map(({ to, subject }) => [to, subject]).at(-1)).toEqual([EMAIL, "Your Beckon account was deleted"]);
  expect(await t.store.db.q.select().from(t.store.db.t.orders)).toHaveLength(1);
});

test("kept before it is due: what ended stays ended, and nothing is deleted later", async () => {
  const { db } = t.store;
  await db.tx((tx) => createKey(tx, { accountId: id, name: "CI", mode: "sandbox", now: now() }));
  await request();
  t.store.clock.pass(6 * DAY);
  expect(await signIn(t.services, { email: EMAIL, password: PASSWORD, visitor: ANN, now: now() })).not.toBeNull();
  expect(await keep()).toBe(true);
  expect(await keep()).toBe(false);
  expect(t.outbox.at(-1)!.subject).toBe("Your Beckon account is kept");
  t.store.clock.pass(2 * DAY);
  await carryOut();
  expect(await account()).toMatchObject({ email: EMAIL, credits: 150, deletedAt: null });
  expect(await activeKeys(db, id, now())).toBe(0);
  expect((await openSession()).deletionDueAt).toBeNull();
});

test("watches pause with the request, and the owner is told; in a kept account the person's go on at once, and a key's stay paused", async () => {
  const { db } = t.store;
  const key = await keyPrincipal(db, id);
  const watch = (principal: Principal, name: string, status?: "paused") =>
    db.tx((tx) => {
      const url = `https://a.example/${name}.xml`;
      const change = status ? { status } : {};
      return saveWatch(tx, { principal, watchId: undefined, url, change, ...times() });
    });
  await watch(await ownerPrincipal(t.store.db, id), "running");
  const held = await watch(await ownerPrincipal(t.store.db, id), "held");
  await db.tx((tx) => changeRow(tx, held, { status: "held", reason: "many_new", documents: "[]" }));
  await watch(await ownerPrincipal(t.store.db, id), "paused", "paused");
  await watch(key, "of-a-key");
  const { watches } = db.t;
  const states = async () => {
    const rows = await db.q.select().from(watches).orderBy(watches.no);
    return rows.map(({ status, reason, nextRunAt }) => [status, reason, nextRunAt]);
  };
  expect((await previewDeletion(db, id, now())).watches).toBe(3);
  await request();
  const byPerson = ["paused", null, null];
  const ofKey = ["paused", "credential_ended", null];
  const forDeletion = ["paused", "account_deletion", null];
  expect(await states()).toEqual([forDeletion, forDeletion, byPerson, ofKey]);
  expect((await previewDeletion(db, id, now())).watches).toBe(0);
  const told = (await db.q.select().from(db.t.events)).filter(({ type }) => type === "watch.held");
  const reasons = told.map(({ data }) => JSON.parse(data).reason);
  expect(reasons).toEqual(["credential_ended", "account_deletion", "account_deletion"]);
  t.store.clock.pass(6 * DAY);
  await keep();
  const goesOn = ["active", null, times().service];
  expect(await states()).toEqual([goesOn, goesOn, byPerson, ofKey]);
  expect(t.outbox.at(-1)!.text).toMatch(/Watches\sthat\syou\smade\syourself\scontinue/);
});

test("law: a run that had read its sitemap when the deletion was requested writes nothing", async () => {
  const { db } = t.store;
  const made = { watchId: undefined, url: "https://a.example/sitemap.xml", ...times() };
  const watch = await db.tx(async (tx) =>
    saveWatch(tx, { ...made, principal: await ownerPrincipal(tx, id), change: { firstRun: "submit" } }),
  );
  await request();
  await expect(db.tx((tx) => takeRevision(tx, watch))).rejects.toThrow(RunLost);
});

test("law: kept at the moment at which it is deleted: it is wholly there, or a tombstone", async () => {
  await request();
  const by = await openSession();
  const before = { session: by, visitor: ANN, times: times() };
  t.store.clock.pass(7 * DAY);
  const [kept] = await Promise.allSettled([keepAccount(t.services, before), carryOut()]);
  await carryOut();
  const isKept = kept.status === "fulfilled" && kept.value;
  expect(await account()).toMatchObject(isKept ? { credits: 150, deletedAt: null } : { credits: 0, deletedAt: now() });
  expect(await deletionOf(t.store.db, id)).toBeNull();
  expect(await problems()).toEqual([]);
});

test("the address of a deleted account signs in to nothing, is mailed nothing, and can open a new account", async () => {
  await request();
  t.store.clock.pass(7 * DAY);
  await carryOut();
  const { length } = t.outbox;
  for (const email of [EMAIL, `deleted ${id}`]) {
    expect(await signIn(t.services, { email, password: PASSWORD, visitor: ANN, now: now() })).toBeNull();
    await requestPasswordReset(t.services, { email, returnTo: "/", visitor: ANN, now: now() });
  }
  expect(t.outbox).toHaveLength(length);
  expect(await t.member(EMAIL)).not.toBe(id);
});

test("a running project: sent links go on for seven days, and what comes back is given up with the account", async () => {
  const project = await t.store.index(id, pages(4, "not_indexed"));
  const checker = testChecker(t.store);
  await checker.until(t.store.clock.service() + DAY);
  await request();
  expect(await t.store.reload(project)).toMatchObject({ status: "active", checking: 4 });
  t.store.clock.pass(7 * DAY);
  await carryOut();
  expect((await ledger())[0]).toEqual(["adjustment", -146, "account_deleted"]);
  await checker.until(t.store.clock.service() + 20 * DAY);
  expect(checker.troubles).toEqual([]);
  const { q, t: tables } = t.store.db;
  for (const table of [tables.projects, tables.links, tables.steps, tables.observations])
    expect(await q.select().from(table as typeof tables.projects)).toEqual([]);
  expect(await problems()).toEqual([]);
});

test("a link that a worker is about to send when its account is deleted is dropped, without an error", async () => {
  const checker = testChecker(t.store, (sandbox) => {
    const { google } = sandbox.submitters;
    const send: NonNullable<typeof google>["send"] = async (batch) => {
      await request();
      t.store.clock.pass(7 * DAY);
      await carryOut();
      return google!.send(batch);
    };
    return { ...sandbox, submitters: { ...sandbox.submitters, google: { ...google!, send } } };
  });
  await t.store.index(id, pages(3));
  await checker.checker.drain();
  expect(checker.troubles.map((trouble) => (trouble as Error).name)).toEqual(["LeaseLost"]);
  expect(await account()).toMatchObject({ credits: 0, deletedAt: now() });
  expect(await problems()).toEqual([]);
});

/** A database whose nth transaction from now on, and all after it, do not happen. */
function crashingAfter(db: Engine, transactions: number): Engine {
  let left = transactions;
  const tx: Engine["tx"] = async (work, options) => {
    if (left-- <= 0) throw new Error("the process ended");
    return db.tx(work, options);
  };
  return { ...db, tx };
}

test("law: after a crash between any two transactions, the next round does what is left, once", async () => {
  for (const dripDays of [7, 0, 7]) await t.store.index(id, pages(3), { dripDays });
  const checker = testChecker(t.store);
  await checker.until(t.store.clock.service() + HOUR);
  for (let crash = 0; (await deletionOf(t.store.db, id)) === null; crash++)
    await requestDeletion(
      { ...t.services, db: crashingAfter(t.store.db, crash) },
      { session, typed: EMAIL, visitor: ANN, times: times() },
    ).catch(() => undefined);
  expect(await problems()).toEqual([]);
  t.store.clock.pass(7 * DAY);
  let rounds = 0;
  while ((await deletionOf(t.store.db, id)) !== null) {
    await carryOut(crashingAfter(t.store.db, 1 + (rounds % 3))).catch(() => undefined);
    expect(await problems()).toEqual([]);
    if (rounds++ > 100) throw new Error("it is never done");
  }
  expect(rounds).toBeGreaterThan(5);
  expect(await account()).toMatchObject({ credits: 0, email: "" });
  expect((await ledger()).filter(([, , source]) => source === "account_deleted")).toHaveLength(1);
  expect(t.outbox.filter(({ subject }) => subject === "Your Beckon account was deleted")).toHaveLength(1);
});

test("unsent links that a crash has left are cancelled within the hour", async () => {
  await t.store.index(id, pages(3), { dripDays: 7 });
  const db = crashingAfter(t.store.db, 1);
  await expect(
    requestDeletion({ ...t.services, db }, { session, typed: EMAIL, visitor: ANN, times: times() }),
  ).rejects.toThrow("ended");
  expect((await account()).credits).toBe(147);
  await carryOut();
  expect((await account()).credits).toBe(150);
});

test("law: an account is not deleted while a change of its address can be undone, and keeps its address until it is", async () => {
  await requestAddressChange(t.services, { session, email: "ann@new.example", visitor: ANN, now: now() });
  await confirmAddressChange(t.services, { session, link: linkIn(t.outbox.at(-1)), visitor: ANN, now: now() });
  session = await openSession();
  expect(await codeOf(request("ann@new.example"))).toBe("invalid_request");
  expect(await deletionOf(t.store.db, id)).toBeNull();
  t.store.clock.pass(7 * DAY);
  session = await openSession();
  await requestAddressChange(t.services, { session, email: "ann@third.example", visitor: ANN, now: now() });
  const link = linkIn(t.outbox.findLast(({ to }) => to === "ann@third.example"));
  await request("ann@new.example");
  expect(await confirmAddressChange(t.services, { session: await openSession(), link, visitor: ANN, now: now() })).toBe(
    false,
  );
});

test("law: deleted and its address changed at once: one of the two", async () => {
  await requestAddressChange(t.services, { session, email: "ann@new.example", visitor: ANN, now: now() });
  const link = linkIn(t.outbox.at(-1));
  const [changed] = await Promise.allSettled([
    confirmAddressChange(t.services, { session, link, visitor: ANN, now: now() }),
    request(),
  ]);
  const isChanged = changed.status === "fulfilled" && changed.value;
  expect((await deletionOf(t.store.db, id)) === null).toBe(isChanged);
  if (!isChanged) return;
  const undo = linkIn(t.outbox.findLast(({ subject }) => subject.includes("was changed")));
  expect(await undoAddressChange(t.services, { link: undo, visitor: ANN, now: now() })).not.toBeNull();
});

test("law: a deleted account gets nothing that can be spent: what comes late is booked, and booked to zero", async () => {
  const { db } = t.store;
  await request();
  t.store.clock.pass(7 * DAY);
  await carryOut();
  const book = (kind: "purchase" | "return" | "adjustment", credits: number, source: string) =>
    db.tx((tx) => post(tx, { accountId: id, kind, credits, source, description: "", now: now() }));
  expect(await book("purchase", 150, "late")).toBe(0);
  expect(await book("adjustment", -100, "refund")).toBe(-100);
  expect(await book("return", 40, "links")).toBe(-60);
  expect(await book("adjustment", 100, "restored")).toBe(0);
  expect((await ledger()).map(([, credits]) => credits).slice(0, 6)).toEqual([-40, 100, 40, -100, -150, 150]);
  expect(
    await codeOf(
      db.tx((tx) => post(tx, { accountId: id, kind: "spend", credits: -1, source: "x", description: "", now: now() })),
    ),
  ).toBe("insufficient_credits");
});
