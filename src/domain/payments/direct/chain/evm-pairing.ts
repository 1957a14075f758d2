import { TOPICS } from "./evm-abi.ts";

interface Event {
  readonly topics: readonly string[];
}

/**
 * The log next to an authorization's use, where its transfer has to be. A transaction may execute several
 * authorizations, and has the events of all in one receipt, so that only a neighbour can be assigned to a use. EIP-3009
 * does not define which of the two logs a token writes first; Circle's writes the use first. The token's side is the
 * one on which more uses of this receipt have a transfer by their payer.
 * @param own the token's logs of one receipt, in their order
 * @param use index of `AuthorizationUsed` among them
 */
export function besideUse<T extends Event>(own: readonly T[], use: number): T | undefined {
  const side = pairsAt(own, -1) > pairsAt(own, 1) ? -1 : 1;
  return own[use + side];
}

function pairsAt(own: readonly Event[], side: 1 | -1): number {
  return own.filter(({ topics: [event, payer] }, place) => {
    const [other, from] = own[place + side]?.topics ?? [];
    return event === TOPICS.used && other === TOPICS.transfer && from === payer;
  }).length;
}
