import { expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { hashOf, newSecret } from "../../../../src/domain/credentials/secrets.ts";
import { identitiesOf } from "../../../../src/domain/issuer/identities.ts";
import { type Callback, type Issuer, IssuerFailure, type Subject } from "../../../../src/domain/issuer/issuer.ts";
import { ISSUER_SIGN_IN_LIFETIME, type IssuerPurpose } from "../../../../src/domain/issuer/sign-ins.ts";
import { deletePerson } from "../../../../src/domain/people/delete-person.ts";
import { createInvitation } from "../../../../src/domain/people/invitations.ts";
import { confirmAddressChange, requestAddressChange } from "../../../../src/domain/users/change-address.ts";
import { disconnectIssuer } from "../../../../src/domain/users/issuer-connection.ts";
import { goToIssuer, type IssuerOutcome, returnFromIssuer } from "../../../../src/domain/users/issuer-sign-in.ts";
import { pendingSignInOf } from "../../../../src/domain/users/pending-sign-ins.ts";
import { purgeSessionsAndLinks } from "../../../../src/domain/users/purge.ts";
import { isRecent, type Session, sessionOf } from "../../../../src/domain/users/sessions.ts";
import { undoAddressChange } from "../../../../src/domain/users/undo-address.ts";
import type { UserServices } from "../../../../src/domain/users/users.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { giveFactors } from "../../../support/website/factors.ts";
import { codeOf, linkIn, testUsers, visitor } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);
const now = () => t.store.clock.now();
const ISSUER = "https://login.example";
const ANN = "ann@example.com";

/** Whoever signs in at the issuer next. */
type Who = Partial<Omit<Subject, "verifiedEmail">> & { email?: string | null; problem?: IssuerFailure };

/** A browser at this service and at the issuer. */
class Browser {
  secret = newSecret("session").secret;
  readonly services: UserServices;
  callback: Callback | undefined;
  asked = 0;

  constructor(services: Partial<UserServices> = {}) {
    this.services = { ...t.services, ...services };
  }

  async go(purpose: IssuerPurpose, returnTo = "/dashboard"): Promise<string> {
    const at = await goToIssuer(this.services, this.#issuer({}), {
      purpose,
      browserSecret: this.secret,
      returnTo,
      visitor: this.#visitor(),
      now: now(),
    });
    return at.searchParams.get("state")!;
  }

  async comeBack(state: string, who: Who = {}): Promise<IssuerOutcome> {
    const session = await this.session();
    const answer = { query: `?state=${state}`, state, browserSecret: this.secret, session, visitor: this.#visitor() };
    const outcome = await returnFromIssuer(this.services, this.#issuer(who), { ...answer, now: now() });
    if ("secret" in outcome) this.secret = outcome.secret;
    return outcome;
  }

  async trip(purpose: IssuerPurpose, who: Who = {}): Promise<IssuerOutcome["outcome"]> {
    return (await this.comeBack(await this.go(purpose), who)).outcome;
  }

  session(): Promise<Session | null> {
    return sessionOf(t.store.db, this.secret, now());
  }

  #visitor() {
    return { ...visitor("ann"), hash: hashOf(this.secret) };
  }

  #issuer({ email = ANN, problem, ...who }: Who): Issuer {
    return {
      name: "Staff",
      authorizationUrl: async ({ state }) => new URL(`${ISSUER}/authorize?state=${state}`),
      redeem: async (callback) => {
        this.callback = callback;
        if (problem) throw problem;
        const verifiedEmail = async () => {
          this.asked++;
          return email;
        };
        return { issuer: ISSUER, subject: "ann", authenticatedAt: now(), ...who, verifiedEmail };
      },
      signOutUrl: async () => null,
      examine: async () => ({ keys: 1, aheadMs: 0 }),
    };
  }
}

/** An account with a password, and a browser that is signed in to it. */
async function member(email = ANN): Promise<{ browser: Browser; id: string; personId: string }> {
  const id = await t.member(email);
  const browser = new Browser();
  browser.secret = await t.session(id);
  return { browser, id, personId: (await browser.session())!.personId };
}

const subjectsOf = async (personId: string) =>
  (await identitiesOf(t.store.db, personId)).map(({ subject }) => subject).sort();

test("somebody new gets an account with the verified address, and is known by the subject from then on", async () => {
  const browser = new Browser();
  expect(await browser.trip("sign_in")).toBe("signed_in");
  const first = (await browser.session())!;
  expect(first).toMatchObject({ email: ANN, verifiedAt: now(), authenticatedAt: now() });
  expect(await t.events(first.accountId)).toEqual(["account_opened"]);
  const other = new Browser();
  expect(await other.trip("sign_in", { email: null })).toBe("signed_in");
  expect((await other.session())!.personId).toBe(first.personId);
});

test("law: an address is asked for once; what the issuer says of it later changes nothing and opens nothing", async () => {
  const browser = new Browser();
  await browser.trip("sign_in");
  const { personId } = (await browser.session())!;
  await t.member("eve@example.com");
  const again = new Browser();
  expect(await again.trip("sign_in", { email: "eve@example.com" })).toBe("signed_in");
  expect(await again.session()).toMatchObject({ personId, email: ANN });
  expect([browser.asked, again.asked]).toEqual([1, 0]);
});

test("law: the same subject of another issuer is somebody else", async () => {
  await new Browser().trip("sign_in");
  expect(await new Browser().trip("sign_in", { issuer: "https://other.example", email: null })).toBe("unverified");
});

test("unverified: nobody gets an account without an address that the issuer has verified", async () => {
  for (const email of [null, "", "not an address", "a@b\0.example", `${"a".repeat(400)}@example.com`])
    expect(await new Browser().trip("sign_in", { email })).toBe("unverified");
});

test("closed: with SIGNUP=off nobody new gets in, and whoever is known does", async () => {
  expect(await new Browser({ signUp: "off" }).trip("sign_in")).toBe("closed");
  await new Browser().trip("sign_in");
  expect(await new Browser({ signUp: "off" }).trip("sign_in")).toBe("signed_in");
});

test("with SIGNUP=invite whoever was invited joins, and nobody else gets in", async () => {
  const { id: accountId, personId } = await member("owner@example.com");
  const invite = new Browser({ signUp: "invite" });
  expect(await invite.trip("sign_in")).toBe("closed");
  await t.store.db.tx((tx) => createInvitation(tx, { accountId, email: ANN, role: "viewer", personId, now: now() }));
  expect(await invite.trip("sign_in")).toBe("signed_in");
  expect(await invite.session()).toMatchObject({ accountId, email: ANN, role: "viewer" });
});

test("account_exists: an account with a password, or with a factor alone, is not opened by its address", async () => {
  const { personId } = await member();
  const browser = new Browser();
  expect(await browser.trip("sign_in", { email: "ANN@example.com" })).toBe("account_exists");
  expect(await browser.session()).toBeNull();
  const id = await t.store.db.tx(async (tx) => (await createAccount(tx, { email: "bob@example.com", now: now() })).id);
  await giveFactors(t.store, t.services.secretBox, id, false);
  expect(await new Browser().trip("sign_in", { email: "bob@example.com" })).toBe("account_exists");
  expect(await subjectsOf(personId)).toEqual([]);
});

test("an account that nobody could sign in to is connected by its verified address, and told so", async () => {
  await t.store.db.tx((tx) => createAccount(tx, { email: ANN, now: now() }));
  const browser = new Browser({ signUp: "off" });
  expect(await browser.trip("sign_in")).toBe("signed_in");
  expect(await browser.session()).toMatchObject({ email: ANN, verifiedAt: now() });
  expect(t.outbox.at(-1)).toMatchObject({ to: ANN, subject: "Staff now signs you in to Beckon" });
});

test("another_connected: whoever is given the address of somebody at the issuer does not get their account", async () => {
  const browser = new Browser();
  await browser.trip("sign_in");
  const { personId } = (await browser.session())!;
  expect(await new Browser().trip("sign_in", { subject: "successor" })).toBe("another_connected");
  expect(await subjectsOf(personId)).toEqual(["ann"]);
});

test("address_kept: an address that an account can still take back is nobody else's", async () => {
  const { browser } = await member();
  await moveTo("ann@new.example", browser);
  expect(await new Browser().trip("sign_in")).toBe("address_kept");
});

test("law: an answer is taken once, in the browser that went, for fifteen minutes", async () => {
  const browser = new Browser();
  const used = await browser.go("sign_in");
  const { secret } = browser;
  expect((await browser.comeBack(used)).outcome).toBe("signed_in");
  browser.secret = secret;
  expect((await browser.comeBack(used)).outcome).toBe("unknown");
  const elsewhere = await browser.go("sign_in");
  expect((await new Browser().comeBack(elsewhere)).outcome).toBe("unknown");
  expect((await browser.comeBack(elsewhere)).outcome).toBe("signed_in");
  const late = await browser.go("sign_in");
  t.store.clock.pass(ISSUER_SIGN_IN_LIFETIME);
  expect((await browser.comeBack(late)).outcome).toBe("unknown");
  for (const state of ["", "stt_", `stt_${"a".repeat(43)}`, `lnk_${"a".repeat(43)}`, "'; --"])
    expect((await browser.comeBack(state)).outcome).toBe("unknown");
});

test("law: an answer that comes twice at once signs in once", async () => {
  const browser = new Browser();
  const state = await browser.go("sign_in");
  const both = await Promise.all([browser.comeBack(state), browser.comeBack(state)]);
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(["signed_in", "unknown"]);
});

test("two tabs go by themselves: each comes back to its own page", async () => {
  const browser = new Browser();
  const [one, two] = [await browser.go("sign_in", "/dashboard/keys"), await browser.go("sign_in", "/dashboard/sites")];
  const { secret } = browser;
  expect(await browser.comeBack(two)).toMatchObject({ outcome: "signed_in", returnTo: "/dashboard/sites" });
  browser.secret = secret;
  expect(await browser.comeBack(one)).toMatchObject({ outcome: "signed_in", returnTo: "/dashboard/keys" });
});

test("law: nonce and verifier differ for each browser and sign-in, and are in no row", async () => {
  const browser = new Browser();
  const seen = new Set<string>();
  for (const one of [browser, browser, new Browser()]) {
    await one.trip("sign_in");
    const { nonce, verifier, state } = one.callback!;
    expect(verifier).toMatch(/^[\w-]{43}$/);
    for (const text of [nonce, verifier, state]) seen.add(text);
  }
  expect(seen.size).toBe(9);
  await browser.go("sign_in");
  const rows = JSON.stringify(await t.store.db.q.select().from(t.store.db.t.issuerSignIns));
  for (const text of [...seen, browser.secret]) expect(rows).not.toContain(text);
});

test("a failure of the issuer uses the answer up and signs nobody in", async () => {
  const browser = new Browser();
  const state = await browser.go("sign_in");
  const problem = new IssuerFailure("unreachable", "a test");
  await expect(browser.comeBack(state, { problem })).rejects.toBe(problem);
  expect((await browser.comeBack(state)).outcome).toBe("unknown");
  expect(await browser.session()).toBeNull();
});

test("a session counts as proved when its person proved it to the issuer, and not at all where that is not said", async () => {
  const proved = async (authenticatedAt: number | null) => {
    const browser = new Browser();
    await browser.trip("sign_in", { authenticatedAt });
    return isRecent((await browser.session())!, now());
  };
  expect(await proved(now() - 59 * MINUTE)).toBe(true);
  expect(await proved(now() - 61 * MINUTE)).toBe(false);
  expect(await proved(null)).toBe(false);
  expect(await proved(now() + DAY)).toBe(true);
});

test("a second step that the person requires is asked for after the issuer, too", async () => {
  const { browser, id } = await member();
  await browser.trip("connect");
  await giveFactors(t.store, t.services.secretBox, id);
  const other = new Browser();
  expect(await other.trip("sign_in")).toBe("signed_in");
  expect(await other.session()).toBeNull();
  expect(await pendingSignInOf(t.store.db, other.secret, now())).not.toBeNull();
  expect((await t.events(id)).at(-1)).toBe("factor_asked");
});

test("confirmed: whoever proves it again is asked since they went, and gets a new secret", async () => {
  const browser = new Browser();
  await browser.trip("sign_in");
  t.store.clock.pass(2 * HOUR);
  expect(isRecent((await browser.session())!, now())).toBe(false);
  const before = browser.secret;
  const state = await browser.go("confirm");
  const wentAt = now();
  t.store.clock.pass(5 * MINUTE);
  expect((await browser.comeBack(state)).outcome).toBe("confirmed");
  expect(browser.callback!.provedSince).toBe(wentAt);
  expect(isRecent((await browser.session())!, now())).toBe(true);
  expect(await sessionOf(t.store.db, before, now())).toBeNull();
});

test("another_person: nobody confirms for somebody else, known or not", async () => {
  const { browser } = await member();
  t.store.clock.pass(2 * HOUR);
  expect(await browser.trip("confirm")).toBe("another_person");
  await new Browser().trip("sign_in", { subject: "eve", email: "eve@example.com" });
  expect(await browser.trip("confirm", { subject: "eve" })).toBe("another_person");
  expect(isRecent((await browser.session())!, now())).toBe(false);
});

test("connected: an account of any address, once; the mail says so, and the issuer signs in from then on", async () => {
  const { browser, id, personId } = await member();
  expect(await browser.trip("connect", { email: "a.nother@example.org" })).toBe("connected");
  expect(await browser.trip("connect")).toBe("connected");
  expect(browser.asked).toBe(0);
  expect((await t.events(id)).filter((kind) => kind === "issuer_connected")).toHaveLength(1);
  expect(t.outbox.filter(({ subject }) => subject === "Staff now signs you in to Beckon")).toHaveLength(1);
  const other = new Browser();
  expect(await other.trip("sign_in")).toBe("signed_in");
  expect((await other.session())!.personId).toBe(personId);
});

test("taken, another_connected: one person here is one person there", async () => {
  const [ann, bob] = [await member(), await member("bob@example.com")];
  await ann.browser.trip("connect");
  expect(await bob.browser.trip("connect")).toBe("taken");
  expect(await ann.browser.trip("connect", { subject: "second" })).toBe("another_connected");
  expect([await subjectsOf(ann.personId), await subjectsOf(bob.personId)]).toEqual([["ann"], []]);
});

test("too_late: who takes too long at the issuer proves again who they are first", async () => {
  const { browser, personId } = await member();
  t.store.clock.pass(55 * MINUTE);
  const state = await browser.go("connect");
  t.store.clock.pass(10 * MINUTE);
  expect((await browser.comeBack(state)).outcome).toBe("too_late");
  expect(await subjectsOf(personId)).toEqual([]);
});

test.each<IssuerPurpose>(["confirm", "connect"])("unknown: %s in a session that ended meanwhile", async (purpose) => {
  const { browser } = await member();
  const state = await browser.go(purpose);
  await t.store.db.tx((tx) => tx.q.delete(tx.t.sessions));
  expect((await browser.comeBack(state)).outcome).toBe("unknown");
});

test("disconnecting ends it, is mailed, and is refused where there is no other way in", async () => {
  const { browser, id, personId } = await member();
  await browser.trip("connect");
  const session = (await browser.session())!;
  const disconnect = (services: UserServices) =>
    t.store.db.tx((tx) =>
      disconnectIssuer(tx, services, { session, visitor: visitor("ann"), name: "Staff", now: now() }),
    );
  expect(await codeOf(disconnect({ ...t.services, localSignIn: false }))).toBe("not_found");
  expect(await subjectsOf(personId)).toEqual(["ann"]);
  expect([await disconnect(t.services), await disconnect(t.services)]).toEqual([true, false]);
  expect(t.outbox.at(-1)).toMatchObject({ to: ANN, subject: "Staff no longer signs you in to Beckon" });
  expect((await t.events(id)).at(-1)).toBe("issuer_disconnected");
  expect(await new Browser().trip("sign_in")).toBe("account_exists");
});

test("law: undoing a change of address takes away an issuer that was connected since, and no earlier one", async () => {
  const early = await member();
  await early.browser.trip("connect");
  t.store.clock.pass(HOUR);
  await undoAddressChange(t.services, {
    link: await moveTo("ann@new.example", early.browser),
    visitor: visitor("x"),
    now: now(),
  });
  expect(await subjectsOf(early.personId)).toEqual(["ann"]);
  const late = await member("bob@example.com");
  const link = await moveTo("bob@new.example", late.browser, "bob@example.com");
  await late.browser.trip("connect", { subject: "thief" });
  await undoAddressChange(t.services, { link, visitor: visitor("x"), now: now() });
  expect(await subjectsOf(late.personId)).toEqual([]);
});

test("law: while a change of address can be undone, nothing is disconnected", async () => {
  const { browser, personId } = await member();
  await browser.trip("connect");
  await moveTo("ann@new.example", browser);
  const change = { session: (await browser.session())!, visitor: visitor("ann"), name: "Staff", now: now() };
  expect(await codeOf(t.store.db.tx((tx) => disconnectIssuer(tx, t.services, change)))).toBe("invalid_request");
  expect(await subjectsOf(personId)).toEqual(["ann"]);
});

test("somebody who was deleted is somebody new to the issuer's subject", async () => {
  const browser = new Browser();
  await browser.trip("sign_in");
  const { personId } = (await browser.session())!;
  await t.store.db.tx((tx) => deletePerson(tx, { id: personId, email: ANN }));
  expect(await subjectsOf(personId)).toEqual([]);
  expect(await new Browser({ signUp: "off" }).trip("sign_in")).toBe("closed");
});

test("429 rate_limited: a network sends a bounded number of browsers to the issuer", async () => {
  const browser = new Browser();
  for (let n = 0; n < LIMITS.issuer_sign_ins.count; n++) await browser.go("sign_in");
  expect(await codeOf(browser.go("sign_in"))).toBe("rate_limited");
  await purgeSessionsAndLinks(t.store.db, now() + ISSUER_SIGN_IN_LIFETIME);
  expect(await t.store.db.q.select().from(t.store.db.t.issuerSignIns)).toEqual([]);
});

/** Changes the address of whoever is signed in. @returns the secret of the link that undoes it */
async function moveTo(email: string, browser: Browser, from = ANN): Promise<string> {
  const [session, by] = [(await browser.session())!, visitor("ann")];
  await requestAddressChange(t.services, { session, email, visitor: by, now: now() });
  const link = linkIn(t.outbox.findLast(({ to }) => to === email));
  await confirmAddressChange(t.services, { session, link, visitor: by, now: now() });
  return linkIn(t.outbox.findLast(({ to }) => to === from));
}
