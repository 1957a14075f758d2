import { encodeEventTopics, type Log } from "viem";
import { TOKEN } from "./evm-abi.ts";

type Event = Pick<Log, "topics">;

/**
 * The log beside the use of an authorization, where its transfer has to be. Who executes several authorizations in one
 * transaction has the events of all in one receipt, so that only a neighbour can be told to be its own. EIP-3009 does
 * not say which of the two a token writes first: Circle's writes the use. The side on which more uses of this receipt
 * have a transfer of their payer is the token's.
 * @param own the token's logs of one receipt, in their order
 * @param use place of `AuthorizationUsed` among them
 */
export function besideUse<T extends Event>(own: readonly T[], use: number): T | undefined {
  const side = pairsAt(own, -1) > pairsAt(own, 1) ? -1 : 1;
  return own[use + side];
}

function pairsAt(own: readonly Event[], side: 1 | -1): number {
  return own.filter(({ topics: [event, payer] }, place) => {
    const [other, from] = own[place + side]?.topics ?? [];
    return event === USED && other === TRANSFER && from === payer;
  }).length;
}

const [USED] = encodeEventTopics({ abi: TOKEN, eventName: "AuthorizationUsed" });
const [TRANSFER] = encodeEventTopics({ abi: TOKEN, eventName: "Transfer" });
