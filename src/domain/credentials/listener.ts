import type { Reader } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";
import { accessOfMaker } from "./access.ts";
import { type End, endOf, principalIn } from "./may-act.ts";

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
 * @returns why nobody does: the maker has no access any more, or lacks HEARING
 */
export async function listenerOf(db: Reader, { accountId, maker }: Channel, now: number): Promise<Principal | End> {
  const access = await accessOfMaker(db, accountId, maker);
  const end = endOf(access, { scopes: [HEARING], now });
  return end ?? principalIn(access!);
}
