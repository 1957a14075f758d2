import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { hashOf } from "../../../src/domain/credentials/secrets.ts";
import type { Mail } from "../../../src/domain/mail/mailer.ts";
import { type Person, personByEmail } from "../../../src/domain/people/people.ts";
import type { UserServices, Visitor } from "../../../src/domain/users/users.ts";
import type { Refusal } from "../../../src/platform/errors/errors.ts";
import { SecretBox } from "../../../src/platform/secret-box.ts";
import { openSessionOf, securityLogOf } from "../database/people.ts";
import { type TestStore, testStore } from "../database/store.ts";
import { outboxOver } from "../service/outbox.ts";
import { passwordHash } from "./password.ts";

export { PASSWORD } from "./password.ts";

export interface TestUsers {
  readonly store: TestStore;
  readonly services: UserServices;
  /** Oldest first. */
  readonly outbox: Mail[];
  /** An open account whose address is verified, with `PASSWORD`. @returns its id */
  member(email: string): Promise<string>;
  /** A session of an account, as a browser that signed in before has it. @returns its secret */
  session(accountId: string): Promise<string>;
  /** What the security log of an account says, oldest first. */
  events(accountId: string): Promise<string[]>;
  personOf(email: string): Promise<Person | null>;
  close(): Promise<void>;
}

/** People over a database that is thrown away, with an outbox for their mail. */
export async function testUsers(): Promise<TestUsers> {
  const store = await testStore();
  const { clock } = store;
  const secretBox = new SecretBox(() => [Buffer.alloc(32, 1)]);
  const { db, mailer, outbox } = outboxOver(store.db, { secretBox, now: () => clock.now() });
  return {
    store: { ...store, db },
    services: { db, mailer, siteUrl: "https://beckon.test", signUp: "open" as const, localSignIn: true, secretBox },
    outbox,
    async member(email) {
      const account = { email, passwordHash: await passwordHash(), verifiedAt: clock.now(), now: clock.now() };
      return db.tx(async (tx) => (await createAccount(tx, account)).id);
    },
    session: (accountId) =>
      db.tx((tx) => openSessionOf(tx, { accountId, browser: "Safari on macOS", ip: "192.0.2.9", now: clock.now() })),
    async events(accountId) {
      const { rows } = await securityLogOf(db, accountId, { limit: 100, offset: 0 });
      return rows.map(({ kind }) => kind).reverse();
    },
    personOf: (email) => personByEmail(db, email),
    close: () => store.close(),
  };
}

/** A browser of its own; by default each at an address of its own too. */
export function visitor(name: string, ip = `198.51.100.${name.length + name.charCodeAt(0)}`): Visitor {
  return { ip, browser: "Firefox on Linux", hash: hashOf(name), known: "" };
}

/** Mails, without those that tell of a sign-in by a browser that is not known. */
export function withoutSignIns(outbox: readonly Mail[]): Mail[] {
  return outbox.filter(({ subject }) => subject !== "New sign-in to your Beckon account");
}

/** The secret in the link of a mail. */
export function linkIn(mail: Mail | undefined): string {
  const secret = /\?link=(lnk_[\w-]{43})\n/.exec(mail?.text ?? "")?.[1];
  if (!secret) throw new Error(`no link in ${JSON.stringify(mail)}`);
  return secret;
}

/** What comes of a call: `answer` where there is one, or the code of the refusal. */
export async function codeOf(call: Promise<unknown>, answer = "done"): Promise<string> {
  return call.then(
    () => answer,
    (thrown: Refusal) => thrown.code,
  );
}
