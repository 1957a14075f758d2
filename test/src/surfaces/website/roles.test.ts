import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Router } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOf } from "../../../../src/contract/operation.ts";
import { identify } from "../../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { missingScope } from "../../../../src/domain/credentials/may-act.ts";
import { setRole } from "../../../../src/domain/people/members.ts";
import { openSession } from "../../../../src/domain/users/sessions.ts";
import { ROLES, type Role } from "../../../../src/platform/principal.ts";
import { allows, type Need } from "../../../../src/platform/roles.ts";
import { pageRoutes } from "../../../../src/surfaces/website/routes.ts";
import type { PageHandlers, WebsiteServices } from "../../../../src/surfaces/website/shell/page-request.ts";
import { operations } from "../../../../tools/index.ts";
import { newMember } from "../../../support/database/people.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn, User } from "../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

/** What each role may do, written down once more: the table of the service is compared with it. */
const MAY: Readonly<Record<Role, readonly Need[]>> = {
  owner: ["own", "read", "index", "purchase", "keys", "approve", "share", "settings", "people", "owners"],
  manager: ["own", "read", "index", "purchase", "keys", "approve", "share", "settings", "people"],
  member: ["own", "read", "index"],
  viewer: ["own", "read"],
};

/** Forms that change nothing but how the person signs in, or what is the person's own; each is asked for its owner by itself. */
const OWN =
  /^\/dashboard\/(security\/(password|sessions|address|passkeys|app|recovery-codes|second-step|removal)|accounts|apps\/:id\/disconnect|people\/:id\/remove)/;

interface Form {
  readonly path: string;
  readonly need: Need;
}

const formsOf = ({ stack }: Router): Form[] =>
  stack.flatMap(({ route, handle }) => {
    if (!route) return "stack" in handle ? formsOf(handle as Router) : [];
    const needs = route.stack.flatMap(({ method, handle }) =>
      method === "post" && "need" in handle ? [handle.need] : [],
    );
    return needs.map((need) => ({ path: route.path as string, need: need as Need }));
  });

/** The forms of pages that need a session, with what they need. */
const FORMS: readonly Form[] = (() => {
  const nothing = () => undefined;
  const pages = {
    formNeeds: { add: nothing },
    get: () => nothing,
    post: () => [nothing],
    postList: () => Object.assign(() => undefined, { need: "index" }),
    getSignedIn: () => nothing,
    postSignedIn: (_handle: unknown, need: Need) => [Object.assign(() => undefined, { need })],
  } as unknown as PageHandlers;
  return formsOf(pageRoutes({ config: service.config, payments: {} } as unknown as WebsiteServices, pages));
})();

const people = new Map<Role, { user: User; personId: string }>();
let accountId: string;
beforeAll(async () => {
  const now = service.clock.now();
  ({ accountId } = await signedIn(service));
  for (const role of ROLES) {
    const user = new User(service);
    const email = `${role}.${randomUUID()}@example.com`;
    const personId = await service.db.tx(async (tx) => {
      const id = await newMember(tx, { accountId, role, email, now });
      user.cookies.set("sid", await openSession(tx, { personId: id, browser: "Firefox", ip: "127.0.0.1", now }));
      return id;
    });
    people.set(role, { user, personId });
  }
});

test("law: a role may do what its row says, and nothing else", () => {
  for (const role of ROLES)
    for (const need of MAY.owner)
      expect([role, need, allows(role, need)]).toEqual([role, need, MAY[role].includes(need)]);
});

test("law: every form of a page that needs a session says what role it needs, and only what is the person's own needs none", () => {
  expect(FORMS.length).toBeGreaterThan(40);
  for (const { path, need } of FORMS) expect([path, need === "own"]).toEqual([path, OWN.test(path)]);
});

describe.each(ROLES)("%s", (role) => {
  test("403 for each form that the role does not allow, and for no other", async () => {
    const { user } = people.get(role)!;
    const { forms } = await user.get("/dashboard/accounts");
    const token = new Map(forms.find(({ action }) => action === "/sign-out")!.fields).get("token")!;
    for (const { path, need } of FORMS) {
      if (need === "own") continue;
      const { status, text } = await user.post(path.replace(/:\w+/g, "unknown"), [["token", token]]);
      const isRefused = status === 403 && text.includes(`Your role in this account, ${role}, does not allow this.`);
      expect([path, isRefused]).toEqual([path, !MAY[role].includes(need)]);
    }
  });

  test("law: no operation is allowed to a key of the role that its scopes do not allow", async () => {
    const { db, clock } = service;
    const { personId } = people.get(role)!;
    const now = clock.now();
    const secret = await db.tx((tx) => createKey(tx, { accountId, personId, name: role, mode: "sandbox", now }));
    const principal = await identify(db, { apiKey: secret }, { resource: "/api/v1", now });
    for (const { name, access } of operations) {
      const isAllowed = scopesOf(access).every((scope) => MAY[role].includes(scope));
      expect([name, missingScope(principal!, scopesOf(access)) === undefined]).toEqual([name, isAllowed]);
    }
  });
});

test("a key loses at the next call what the new role of its person does not allow, and has it again with the old one", async () => {
  const { db, clock, url } = service;
  const { personId } = people.get("manager")!;
  const secret = await db.tx((tx) =>
    createKey(tx, { accountId, personId, name: "k", mode: "sandbox", now: clock.now() }),
  );
  const checked = async () => {
    const headers = { "X-API-Key": secret, "Content-Type": "application/json" };
    const body = JSON.stringify({ urls: ["https://example.com/"] });
    return (await fetch(`${url}/api/v1/projects`, { method: "POST", headers, body })).status;
  };
  const become = (role: Role) => db.tx((tx) => setRole(tx, { accountId, personId, role }));
  expect(await checked()).toBe(201);
  await become("viewer");
  expect(await checked()).toBe(403);
  await become("manager");
  expect(await checked()).toBe(201);
  await db.tx((tx) => tx.q.delete(tx.t.members).where(eq(tx.t.members.personId, personId)));
  expect(await checked()).toBe(401);
});
