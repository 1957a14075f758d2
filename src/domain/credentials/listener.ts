import type { Reader } from "../../../db/engine.ts";
import { PERSON, type Principal, SCOPES } from "../../platform/principal.ts";
import { principalById } from "./identify.ts";

/** An address that is told of what happens in an account: a webhook, or a push configuration. */
export interface Channel {
  readonly accountId: string;
  /** Id of the credential that made it, or PERSON. */
  readonly maker: string;
}

/** The scope that a channel needs besides its own: what it tells is what this scope shows. */
export const HEARING = "read";

/**
 * Who hears a channel now: its maker, with the present scopes. It is asked at each sending (docs/rules.md rule 20).
 * @returns null when the maker has no access any more, or lacks HEARING
 */
export async function listenerOf(db: Reader, { accountId, maker }: Channel, now: number): Promise<Principal | null> {
  if (maker === PERSON) return personOf(accountId);
  const principal = await principalById(db, { accountId, id: maker }, now);
  return principal?.credential.scopes.includes(HEARING) ? principal : null;
}

/** The person of an account, who may see all of it. */
function personOf(accountId: string): Principal {
  return { accountId, credential: { id: PERSON, type: "session", name: "", scopes: SCOPES, holder: "" } };
}
