import type { Tx } from "../../../db/engine.ts";
import { factorsOf, hasFactor } from "../factors/factors.ts";
import { addIdentity, identityOf, recordIdentityUsed } from "../issuer/identities.ts";
import type { Issuer, Subject } from "../issuer/issuer.ts";
import { type IssuerPurpose, type IssuerReturn, noteDeparture, takeReturn } from "../issuer/sign-ins.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimitIn } from "../limits/window.ts";
import { addressKeptUntil } from "../people/address-undos.ts";
import { normaliseEmail } from "../people/email.ts";
import { changePerson, type Person, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { confirmByIssuer, connectIssuer, tellOfConnection } from "./issuer-connection.ts";
import { tellOfNewBrowser } from "./new-browser.ts";
import { openPerson } from "./open-person.ts";
import { beginSession } from "./pending-sign-ins.ts";
import { openSession, type Session } from "./sessions.ts";
import { maySignUp } from "./sign-up.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Notes that a browser goes to the issuer. @returns the address that it goes to @throws IssuerFailure; Refusal rate_limited */
export async function goToIssuer(
  { db }: UserServices,
  issuer: Issuer,
  request: { purpose: IssuerPurpose; browserSecret: string; returnTo: string; visitor: Visitor; now: number },
): Promise<URL> {
  const { visitor, ...departure } = request;
  const handshake = await db.tx(async (tx) => {
    await consumeLimitIn(tx, addressKey(visitor.ip), "issuer_sign_ins", request.now);
    return noteDeparture(tx, departure);
  });
  return issuer.authorizationUrl({ ...handshake, isAgain: request.purpose === "confirm" });
}

/** A browser that came back from the issuer. */
export interface IssuerAnswer {
  readonly query: string;
  readonly state: string;
  readonly browserSecret: string;
  /** Whoever is signed in to this service in that browser. */
  readonly session: Session | null;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Why nobody was signed in, confirmed or connected.
 * `unknown`: this browser did not go to the issuer lately, or the answer was taken before; `closed`: SIGNUP lets
 * nobody open an account, or only who was invited; `account_exists`: with a sign-in of its own, which has to be shown once; `address_kept`: for somebody who can take it
 * back; `another_person`: not who is signed in; `taken`: it signs in to another account; `another_connected`: the account has
 * another person of that issuer; `too_late`: whoever is signed in has to prove again who they are.
 */
export type IssuerRefusal =
  | "unknown"
  | "unverified"
  | "closed"
  | "account_exists"
  | "address_kept"
  | "another_person"
  | "taken"
  | "another_connected"
  | "too_late";

export type IssuerOutcome = { readonly returnTo: string } & (
  | { readonly outcome: "signed_in" | "confirmed"; readonly secret: string }
  | { readonly outcome: "connected" | IssuerRefusal }
);

/** Takes the answer of the issuer. @throws IssuerFailure; SessionEnded */
export async function returnFromIssuer(
  services: UserServices,
  issuer: Issuer,
  answer: IssuerAnswer,
): Promise<IssuerOutcome> {
  const { db } = services;
  const back = await db.tx((tx) => takeReturn(tx, answer));
  if (!back) return { outcome: "unknown", returnTo: "/dashboard" };
  const { returnTo, purpose } = back;
  const subject = await issuer.redeem({ ...back, ...provedSince(back), query: answer.query, now: answer.now });
  if (purpose === "sign_in") return { returnTo, ...(await signInAs(services, issuer, subject, answer)) };
  const { session } = answer;
  if (!session) return { outcome: "unknown", returnTo };
  const user = { session, subject, visitor: answer.visitor, now: answer.now };
  if (purpose === "confirm") return { returnTo, ...(await confirmByIssuer(services, user)) };
  return { returnTo, outcome: await connectIssuer(services, issuer, user) };
}

function provedSince({ purpose, createdAt }: IssuerReturn) {
  return purpose === "confirm" ? { provedSince: createdAt } : {};
}

type SignedIn = { readonly outcome: "signed_in"; readonly secret: string };

async function signInAs(
  services: UserServices,
  issuer: Issuer,
  subject: Subject,
  answer: IssuerAnswer,
): Promise<SignedIn | { readonly outcome: IssuerRefusal }> {
  const { db } = services;
  // Its address is asked for once: whoever is known by it changes it without us.
  const email = (await identityOf(db, subject)) ? null : normaliseEmail((await subject.verifiedEmail()) ?? "");
  return db.tx(async (tx) => {
    const identity = await identityOf(tx, subject);
    if (identity) {
      await recordIdentityUsed(tx, subject, answer.now);
      return beginAs(tx, services, { personId: identity.personId, subject, ...answer });
    }
    if (email === null) return { outcome: "unverified" };
    const person = await personByEmail(tx, email);
    return person
      ? joinPerson(tx, services, { issuer, person, subject, ...answer })
      : signUpAs(tx, services, { email, subject, ...answer });
  });
}

type Entrance = IssuerAnswer & { readonly subject: Subject };

/**
 * Signs in to an account that exists. The address is enough only where nobody could sign in until now, as to one that the operator
 * has made: whoever reads its mail could choose its password as well.
 */
async function joinPerson(
  tx: Tx,
  services: UserServices,
  { issuer, person, ...entrance }: Entrance & { issuer: Issuer; person: Person },
): Promise<SignedIn | { readonly outcome: IssuerRefusal }> {
  const { subject, visitor, now } = entrance;
  const { id: personId } = person;
  if (person.passwordHash !== null || hasFactor(await factorsOf(tx, personId))) return { outcome: "account_exists" };
  if (!(await addIdentity(tx, { ...subject, personId, now }))) return { outcome: "another_connected" };
  await changePerson(tx, personId, { verifiedAt: person.verifiedAt ?? now });
  await tellOfConnection(tx, services, { issuer, person, visitor, now });
  return beginAs(tx, services, { personId, ...entrance });
}

async function signUpAs(
  tx: Tx,
  { signUp }: UserServices,
  { email, subject, visitor, now }: Entrance & { email: string },
): Promise<SignedIn | { readonly outcome: IssuerRefusal }> {
  if (!(await maySignUp(tx, signUp, email, now))) return { outcome: "closed" };
  if ((await addressKeptUntil(tx, email, { now })) !== null) return { outcome: "address_kept" };
  const personId = await openPerson(tx, { email, verifiedAt: now, now }, visitor);
  await addIdentity(tx, { ...subject, personId, now });
  const { browser, ip } = visitor;
  const secret = await openSession(tx, { personId, browser, ip, authenticatedAt: provedAt(subject, now), now });
  return { outcome: "signed_in", secret };
}

async function beginAs(
  tx: Tx,
  services: UserServices,
  { personId, subject, visitor, now }: Entrance & { personId: string },
): Promise<SignedIn> {
  const { browser, ip } = visitor;
  const session = { personId, browser, ip, authenticatedAt: provedAt(subject, now), now };
  const { secret, isPending } = await beginSession(tx, session);
  if (!isPending) await tellOfNewBrowser(tx, services, { personId, visitor, now });
  const kind = isPending ? "factor_asked" : "signed_in";
  await recordSecurityEvent(tx, { personId, kind, subject: browser, ip, now });
  return { outcome: "signed_in", secret };
}

/** An issuer that does not say when leaves it open whether the person did at all lately. */
function provedAt({ authenticatedAt }: Subject, now: number): number {
  return Math.min(authenticatedAt ?? 0, now);
}
