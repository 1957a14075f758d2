import type { Reader } from "../../../db/engine.ts";
import type { Role } from "../../platform/principal.ts";
import { hasRight } from "../../platform/roles.ts";
import { memberOf } from "./members.ts";

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
  const member = await memberOf(db, { accountId: seer.accountId, personId });
  if (!member) return "somebody who is no member any more";
  return hasRight(seer.role, "people") ? member.email : `the ${member.role}`;
}
