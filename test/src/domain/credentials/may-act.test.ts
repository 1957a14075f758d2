import { expect, test } from "vitest";
import { setDisabled } from "../../../../src/domain/accounts/disable.ts";
import type { Access } from "../../../../src/domain/credentials/access-rows.ts";
import { createKeyOnce, revokeKey } from "../../../../src/domain/credentials/keys.ts";
import {
  type Act,
  disabledRefusal,
  type End,
  endOf,
  makerOrEnd,
  makerWhoMayAct,
  missingScope,
  principalIn,
  principalOfSession,
  requireMaker,
  requireMayAct,
  requireRole,
  requireScope,
} from "../../../../src/domain/credentials/may-act.ts";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { newMember, ownerOf, ownerPrincipal } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const times = () => ({ now: store.clock.now(), service: store.clock.service() });

const NOW = 1_000;
const access = (change: Partial<Access> = {}): Access => ({
  ...{ accountId: "acc_1", personId: "per_1", role: "owner" },
  credential: { id: "key_1", type: "api_key", name: "ci", scopes: ["read", "index"], holder: "key_1" },
  ...{ audience: "", isRevoked: false, endsAt: null, isLeaving: false, disabledFor: null },
  ...change,
});
const act = (change: Partial<Act> = {}): Act => ({ scopes: [], now: NOW, ...change });
const refused = (thrown: Refusal) => ({ code: thrown.code, message: thrown.message, ...thrown.fields });
const tried = (work: () => unknown) => {
  try {
    work();
    return "allowed";
  } catch (thrown) {
    return refused(thrown as Refusal);
  }
};

const ENDED: readonly (readonly [access: Partial<Access>, act: Partial<Act>, end: End | null])[] = [
  [{}, {}, null],
  [{ isRevoked: true }, {}, "revoked"],
  [{ endsAt: NOW + 1 }, {}, null],
  [{ endsAt: NOW }, {}, "ended"],
  [{ isLeaving: true }, {}, "leaving"],
  [{ isLeaving: true }, { whileLeaving: true }, null],
  [{}, { whileLeaving: true }, null],
  [{ audience: "/mcp" }, {}, null],
  [{ audience: "/mcp" }, { resource: "/mcp" }, null],
  [{ audience: "/mcp" }, { resource: "/api/v1" }, "elsewhere"],
  [{}, { scopes: ["read", "index"] }, null],
  [{}, { scopes: ["read", "purchase"] }, "scope"],
  [{ disabledFor: "unpaid" }, {}, null],
  [{ disabledFor: "unpaid" }, { spends: true }, "disabled"],
  [{}, { spends: true }, null],
];

test.each(ENDED)("an access of %j, to act with %j: its end is %j", (change, how, end) => {
  expect(endOf(access(change), act(how))).toBe(end);
});

test("what is deleted is revoked, and of two ends the first one is told", () => {
  expect(endOf(null, act())).toBe("revoked");
  expect(endOf(access({ isRevoked: true, disabledFor: "unpaid" }), act({ spends: true }))).toBe("revoked");
});

test("the first scope that a credential lacks", () => {
  expect(missingScope(access(), ["read", "index"])).toBeUndefined();
  expect(missingScope(access(), ["index", "purchase"])).toBe("purchase");
});

test("insufficient_scope: it names the scope", () => {
  expect(tried(() => requireScope(access(), "read"))).toBe("allowed");
  const message = "The credential does not have the scope `purchase`. Nothing was spent or changed.";
  expect(tried(() => requireScope(access(), "purchase"))).toEqual({
    ...{ code: "insufficient_scope", message, required_scope: "purchase" },
  });
});

test("insufficient_scope: a role that does not allow something; the scope is named where one is meant", () => {
  expect(tried(() => requireRole("member", "index"))).toBe("allowed");
  expect(tried(() => requireRole("viewer", "own"))).toBe("allowed");
  const message = "Your role in this account, member, does not allow this.";
  const code = "insufficient_scope";
  expect(tried(() => requireRole("member", "keys"))).toEqual({ code, message });
  expect(tried(() => requireRole("member", "purchase"))).toEqual({ code, message, required_scope: "purchase" });
});

test("spending_limit: the refusal of a disabled account has the operator's reason, and the cost where it is known", () => {
  const told = { code: "spending_limit", limit: "account_disabled", remaining: 0, resets_at: null, reason: "unpaid." };
  const { message, ...rest } = refused(disabledRefusal("unpaid."));
  expect(rest).toStrictEqual(told);
  expect(message).toContain(" has disabled the account: unpaid. It can read");
  expect(refused(disabledRefusal("unpaid")).message).toContain(" has disabled the account: unpaid. It can read");
  expect(disabledRefusal("unpaid.", 7).fields).toMatchObject({ needed: 7 });
});

test("the caller of an access, and of a session, is who it belongs to, and nothing else", () => {
  const { accountId, personId, role, credential } = access();
  expect(principalIn(access())).toEqual({ accountId, personId, role, credential });
  const signedIn = { id: "ses_1", accountId, personId: "per_1", role: "viewer", browser: "Firefox" } as const;
  expect(principalOfSession(signedIn)).toEqual({
    ...{ accountId, personId, role: "viewer" },
    credential: { id: "ses_1", type: "session", name: "Firefox", scopes: ["read"], holder: "" },
  });
});

test("whoever made something acts as long as they may, and whoever asks is told why not", async () => {
  const { db } = store;
  const accountId = await store.account(10);
  const now = store.clock.now();
  const viewer = await db.tx((tx) => newMember(tx, { accountId, role: "viewer", email: "v@example.com", now }));
  const owner = { accountId, maker: await ownerOf(db, accountId) };
  const reading = { scopes: ["read"], now } as const;
  const spending = { scopes: ["index"], spends: true, now } as const;
  const principal = await ownerPrincipal(db, accountId);
  expect(await makerOrEnd(db, owner, spending)).toEqual(principal);
  expect(await makerWhoMayAct(db, owner, spending)).toEqual(principal);
  expect(await requireMaker(db, owner, spending)).toEqual(principal);
  expect(await db.tx((tx) => requireMayAct(tx, principal, spending))).toEqual(principal);

  const refusalOf = (maker: string, how: Act) => requireMaker(db, { accountId, maker }, how).catch(refused);
  expect(await makerOrEnd(db, { accountId, maker: viewer }, spending)).toBe("scope");
  expect(await makerWhoMayAct(db, { accountId, maker: viewer }, spending)).toBeNull();
  expect(await refusalOf(viewer, spending)).toMatchObject({ code: "insufficient_scope", required_scope: "index" });
  expect(await makerOrEnd(db, { accountId, maker: "per_nobody" }, reading)).toBe("revoked");
  const unauthorized = "The credential was revoked or has ended. Nothing was spent or changed.";
  expect(await refusalOf("per_nobody", reading)).toEqual({ code: "unauthorized", message: unauthorized });

  await db.tx((tx) => setDisabled(tx, { accountId, reason: "It is unpaid.", times: times() }));
  expect(await makerOrEnd(db, owner, reading)).toEqual(principal);
  expect(await makerOrEnd(db, owner, spending)).toBe("disabled");
  expect(await refusalOf(owner.maker, spending)).toMatchObject({ code: "spending_limit", reason: "It is unpaid." });
});

test("unauthorized: a credential that was revoked, or is gone, before the transaction that acts", async () => {
  const { db, clock } = store;
  const accountId = await store.account(10);
  const now = clock.now();
  await db.tx((tx) => createKeyOnce(tx, { id: "key_1", accountId, name: "ci", mode: "sandbox", now }));
  const key = await requireMaker(db, { accountId, maker: "key_1" }, act());
  expect(key.credential).toMatchObject({ id: "key_1", type: "api_key" });
  await db.tx((tx) => revokeKey(tx, "key_1", now));
  const attempt = (caller: Principal) =>
    db.tx((tx) => requireMayAct(tx, caller, act({ scopes: ["read"] }))).catch(refused);
  expect(await attempt(key)).toMatchObject({ code: "unauthorized" });
  const gone = { ...key, credential: { ...key.credential, id: "key_gone" } };
  expect(await attempt(gone)).toMatchObject({ code: "unauthorized" });
});
