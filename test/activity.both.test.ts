import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { purgeSecurityEvents, SECURITY_LOG_KEPT } from "../src/domain/security-log/security-log.ts";
import { openSession } from "../src/domain/users/sessions.ts";
import type { Role } from "../src/platform/principal.ts";
import { operations } from "../tools/index.ts";
import { decideNewest } from "./support/a2a/approvals.ts";
import { newMember, ownerOf } from "./support/database/people.ts";
import { belongingsOf, EXAMPLES } from "./support/service/examples.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";
import { signedIn, User } from "./support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

const PAGE = "/dashboard/activity";

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly person_id: string;
  readonly role: string;
  readonly subject: string | null;
  readonly email: string | null;
  readonly target_id: string | null;
  readonly credential: { readonly id: string; readonly name: string } | null;
}

const activity = async (key: string, query = "") =>
  (await service.request("GET", `/activity${query}`, { key })).json as { activity: Entry[]; has_more: boolean };

/** Operations that change nothing of the account that somebody could ask about later. */
const UNRECORDED: Readonly<Record<string, string>> = {
  notify_urls: "it tells engines of pages, and changes nothing here",
  import_visits: "it adds to what is known of crawlers, once for each log",
  redeliver_event: "it sends again what was sent before; list_deliveries has it",
  run_watch: "the project that it makes is there, where there was something to submit",
  pay_direct: "it needs a chain; its change is written where its order is",
};

describe("law: whatever changes an account is in its activity, with the person and the credential", async () => {
  const client = SURFACES.REST!(service);
  const { id: accountId, key } = await service.account({ credits: 1_000 });
  const own = await belongingsOf(client, key, service);
  const personId = await ownerOf(db, accountId);
  const changing = operations.filter(({ effect, name }) => effect !== "read" && !(name in UNRECORDED));

  test.each(changing.map(({ name }) => [name]))("%s", async (name) => {
    const before = (await activity(key)).activity[0]?.id;
    const call = () => client.call(name, EXAMPLES[name]!.input(own), { key });
    clock.pass(1);
    const { code } = await call();
    if (code === "approval_required") {
      await decideNewest(service, accountId);
      expect((await call()).code).toBeNull();
    } else expect(code).toBeNull();
    const newest = (await activity(key)).activity[0]!;
    expect(newest.id).not.toBe(before);
    expect(newest).toMatchObject({ person_id: personId, role: "owner", email: null, credential: { name: "test" } });
  });
});

const memberOf = async (accountId: string, role: Role) => {
  const user = new User(service);
  const email = `${role}.${randomUUID()}@example.com`;
  const now = clock.now();
  const personId = await db.tx(async (tx) => {
    const id = await newMember(tx, { accountId, role, email, now });
    user.cookies.set("sid", await openSession(tx, { personId: id, browser: "Firefox", ip: "127.0.0.1", now }));
    return id;
  });
  return { user, email, personId };
};

test("addresses are shown to owners and managers at the website, and to nobody else", async () => {
  const { id: accountId, key } = await service.account();
  const now = clock.now();
  const owner = new User(service);
  const personId = await ownerOf(db, accountId);
  owner.cookies.set("sid", await db.tx((tx) => openSession(tx, { personId, browser: "Firefox", ip: "::1", now })));
  const [manager, viewer] = [await memberOf(accountId, "manager"), await memberOf(accountId, "viewer")];
  const invited = `${randomUUID()}@example.com`;
  await manager.user.submit(
    await manager.user.get("/dashboard/people"),
    { email: invited, role: "member" },
    "/dashboard/people",
  );
  const path = `/dashboard/people/${viewer.personId}/role`;
  await owner.submit(await owner.get("/dashboard/people"), { role: "member" }, path);
  const pageOf = async (user: User) => (await user.get(PAGE)).text;
  for (const user of [owner, manager.user])
    for (const email of [invited, manager.email, viewer.email]) expect(await pageOf(user)).toContain(email);
  const seen = await pageOf(viewer.user);
  const [content] = /<main.*<\/main>/s.exec((await viewer.user.get(PAGE)).html)!;
  expect(content).not.toContain("@");
  expect(seen).toContain("Role changed viewer, now member the owner");
  const answered = await activity(key);
  expect(JSON.stringify(answered)).not.toContain("@");
  expect(answered.activity.slice(0, 2)).toMatchObject([
    { kind: "role_changed", role: "owner", target_id: viewer.personId, subject: "viewer, now member" },
    { kind: "member_invited", role: "manager", target_id: null, subject: "member", person_id: manager.personId },
  ]);
});

test("the security log of a viewer has what the viewer did, and nothing of others", async () => {
  const owner = await signedIn(service);
  const { user } = await memberOf(owner.accountId, "viewer");
  const settings = await owner.user.get("/dashboard/profile");
  await owner.user.submit(settings, { name: "Acme" }, "/dashboard/profile/name");
  expect((await owner.user.get("/dashboard/security")).text).toContain("Name of the account changed Acme");
  expect((await user.get("/dashboard/security")).text).not.toContain("Acme 127");
  expect((await user.get(PAGE)).text).toContain("Name of the account changed Acme");
});

test("the address of an invitation goes with the person who had it; what was done stays", async () => {
  const owner = await signedIn(service);
  const { user, email, personId } = await memberOf(owner.accountId, "manager");
  await user.submit(await user.get("/dashboard/people"), { email: owner.email, role: "viewer" }, "/dashboard/people");
  const guest = `${randomUUID()}@example.com`;
  await user.submit(await user.get("/dashboard/people"), { email: guest, role: "viewer" }, "/dashboard/people");
  const removed = { made: "ends" };
  await owner.user.submit(await owner.user.get("/dashboard/people"), removed, `/dashboard/people/${personId}/remove`);
  const text = (await owner.user.get(PAGE)).text;
  expect(text).not.toContain(email);
  expect(text).toContain(`Member invited ${guest}: viewer the manager`);
  const rows = await db.q.select().from(db.t.securityEvents);
  expect(rows.filter(({ target }) => target === email)).toEqual([]);
});

test("newest first, in pages, by person and by credential; gone after 400 days", async () => {
  const { id: accountId, key } = await service.account({ credits: 10 });
  for (const name of ["a", "b", "c"])
    await service.request("POST", "/projects", { key, body: { urls: ["https://example.com/"], name } });
  const subjects = async (query: string) => {
    const { activity: found, has_more } = await activity(key, query);
    return [found.map(({ subject }) => subject), has_more] as const;
  };
  expect(await subjects("?limit=2")).toEqual([["c", "b"], true]);
  expect((await subjects("?limit=2&offset=2"))[0]![0]).toBe("a");
  const personId = await ownerOf(db, accountId);
  const [{ credential }] = (await activity(key)).activity as [Entry];
  expect(await subjects(`?credential_id=${credential!.id}&limit=3`)).toEqual([["c", "b", "a"], false]);
  expect(await subjects(`?person_id=${personId}&limit=1`)).toEqual([["c"], true]);
  expect(await subjects("?person_id=per_unknown")).toEqual([[], false]);
  expect((await subjects("?credential_id=person"))[0]).not.toContain("c");
  clock.pass(SECURITY_LOG_KEPT + 1);
  await purgeSecurityEvents(db, clock.now());
  expect(await subjects("")).toEqual([[], false]);
});
