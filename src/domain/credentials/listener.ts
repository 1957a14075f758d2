import type { Reader } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";
import { type End, makerOrEnd } from "./may-act.ts";

/** An address that is told of what happens in an account: a webhook, or a push configuration. */
export interface Channel {
  readonly accountId: string;
  /** Id of the credential or person that made it. */
  readonly maker: string;
}

/** The scope that a channel needs besides its own: what it tells is what this scope shows. */
export const HEARING = "read";

/**
 * Who hears a channel now: its maker, with the present scopes. It is asked at each sending (docs/rules.md rule 20).
 * @returns why nobody does: the maker has no access any more, or lacks HEARING
 */
export function listenerOf(db: Reader, channel: Channel, now: number): Promise<Principal | End> {
  return makerOrEnd(db, channel, { scopes: [HEARING], now });
}
