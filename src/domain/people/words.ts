import type { Reader } from "../../../db/engine.ts";
import type { Role } from "../../platform/principal.ts";
import { hasRight } from "../../platform/roles.ts";
import { type Member, memberOf, membersOf } from "./members.ts";

/** Who reads a page. */
interface Seer {
  readonly accountId: string;
  readonly personId: string;
  readonly role: Role;
}

/**
 * What a page calls a person of the account: whoever may manage people sees the address, and others the role.
 * @returns null where nobody is known
 */
export async function personWords(db: Reader, seer: Seer, personId: string | null): Promise<string | null> {
  if (personId === null) return null;
  if (personId === seer.personId) return "you";
  return wordsFor(seer, await memberOf(db, { accountId: seer.accountId, personId }));
}

/** What a list calls the people of its rows, by id; empty where the account has one member, whose all of it is. */
export async function namesOfPeople(
  db: Reader,
  seer: Seer,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const members = await membersOf(db, seer.accountId);
  if (members.length < 2) return new Map();
  const named = (id: string) =>
    id === seer.personId ? "you" : wordsFor(seer, members.find(({ personId }) => personId === id) ?? null);
  return new Map(ids.filter((id) => id !== null).map((id) => [id, named(id)]));
}

function wordsFor({ role }: Seer, member: Member | null): string {
  if (!member) return "a former member";
  return hasRight(role, "people") ? member.email : `the ${member.role}`;
}
