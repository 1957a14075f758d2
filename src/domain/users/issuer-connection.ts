import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { addIdentity, deleteIdentities, identityOf } from "../issuer/identities.ts";
import type { Issuer, Subject } from "../issuer/issuer.ts";
import { issuerConnected } from "../mail/templates/issuer-connected.ts";
import { issuerDisconnected } from "../mail/templates/issuer-disconnected.ts";
import { type Person, personById } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { type FactorChange, refuseWhileUndoable } from "./manage-factors.ts";
import { isRecent, lockSession, renewSession, type Session } from "./sessions.ts";
import type { UserServices, Visitor } from "./users.ts";

interface IssuerUser {
  /** Of whoever is signed in. */
  readonly session: Session;
  readonly subject: Subject;
  readonly visitor: Visitor;
  readonly now: number;
}

/** Records that whoever is signed in proved it again to the issuer. @throws SessionEnded */
export function confirmByIssuer(
  { db }: UserServices,
  { session, subject, now }: IssuerUser,
): Promise<{ outcome: "confirmed"; secret: string } | { outcome: "another_person" }> {
  return db.tx(async (tx) => {
    await lockSession(tx, session, now);
    const identity = await identityOf(tx, subject);
    if (identity?.personId !== session.personId) return { outcome: "another_person" };
    return { outcome: "confirmed", secret: await renewSession(tx, session, now) };
  });
}

/** Lets whoever is signed in sign in by the issuer from now on. @throws SessionEnded */
export function connectIssuer(
  services: UserServices,
  issuer: Issuer,
  { session, subject, visitor, now }: IssuerUser,
): Promise<"connected" | "taken" | "another_connected" | "too_late"> {
  const { personId } = session;
  return services.db.tx(async (tx) => {
    await lockSession(tx, session, now);
    if (!isRecent(session, now)) return "too_late";
    const identity = await identityOf(tx, subject);
    if (identity) return identity.personId === personId ? "connected" : "taken";
    if (!(await addIdentity(tx, { ...subject, personId, now }))) return "another_connected";
    await tellOfConnection(tx, services, { issuer, person: await personById(tx, personId), visitor, now });
    return "connected";
  });
}

/** @returns false when nothing was connected @throws Refusal not_found without another way in */
export async function disconnectIssuer(
  tx: Tx,
  { localSignIn, mailer, siteUrl }: UserServices,
  { name, ...change }: FactorChange & { name: string },
): Promise<boolean> {
  if (!localSignIn) throw new Refusal("not_found", "There is no other way to sign in here.");
  const { session, visitor, now } = change;
  const { personId, email } = session;
  await refuseWhileUndoable(tx, change);
  if (!(await deleteIdentities(tx, personId))) return false;
  await recordSecurityEvent(tx, { personId, kind: "issuer_disconnected", subject: name, ip: visitor.ip, now });
  await mailer.queue(tx, issuerDisconnected(email, { name, siteUrl }));
  return true;
}

/** Tells a person that they are signed in by an issuer from now on. */
export async function tellOfConnection(
  tx: Tx,
  { mailer, siteUrl }: UserServices,
  { issuer: { name }, person, visitor, now }: { issuer: Issuer; person: Person; visitor: Visitor; now: number },
): Promise<void> {
  const { id: personId, email } = person;
  await recordSecurityEvent(tx, { personId, kind: "issuer_connected", subject: name, ip: visitor.ip, now });
  await mailer.queue(tx, issuerConnected(email, { name, siteUrl }));
}
