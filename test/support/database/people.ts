import type { Reader, Tx } from "../../../db/engine.ts";
import { accessOfMaker } from "../../../src/domain/credentials/access.ts";
import { principalIn } from "../../../src/domain/credentials/may-act.ts";
import { oldestOwner } from "../../../src/domain/credentials/owner.ts";
import { addMember } from "../../../src/domain/people/members.ts";
import { changePerson, createPerson } from "../../../src/domain/people/people.ts";
import { securityEventsOf } from "../../../src/domain/security-log/security-log.ts";
import { openSession } from "../../../src/domain/users/sessions.ts";
import type { Principal, Role } from "../../../src/platform/principal.ts";

/** The id of the owner of an account. */
export const ownerOf = oldestOwner;

/** An account and its owner. */
export async function asOwner(db: Reader, accountId: string) {
  return { accountId, personId: await ownerOf(db, accountId) };
}

/** The log that the owner of an account sees. */
export async function securityLogOf(
  db: Reader,
  accountId: string,
  page: { readonly limit: number; readonly offset: number },
) {
  return securityEventsOf(db, { ...(await asOwner(db, accountId)), isWhole: true }, page);
}

/** Changes how the owner of an account signs in. */
export async function changeOwner(tx: Tx, accountId: string, set: Parameters<typeof changePerson>[2]): Promise<void> {
  await changePerson(tx, await ownerOf(tx, accountId), set);
}

/** Signs the owner of an account in. */
export async function openSessionOf(
  tx: Tx,
  { accountId, ...session }: { readonly accountId: string } & Omit<Parameters<typeof openSession>[1], "personId">,
): Promise<string> {
  return openSession(tx, { ...session, personId: await ownerOf(tx, accountId) });
}

/** A new person who is a member of an account. @returns the person's id */
export async function newMember(
  tx: Tx,
  { accountId, role, email, now }: { accountId: string; role: Role; email: string; now: number },
): Promise<string> {
  const { id: personId } = await createPerson(tx, { email, verifiedAt: now, now });
  await addMember(tx, { accountId, personId, role, now });
  return personId;
}

/** The owner of an account, as whom what they make at the website stands in the database. */
export async function ownerPrincipal(db: Reader, accountId: string): Promise<Principal> {
  return principalIn((await accessOfMaker(db, accountId, await ownerOf(db, accountId)))!);
}
