import { lookup } from "node:dns/promises";
import type { Addresses } from "./address.ts";
import { FetchFailure } from "./failure.ts";

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. @throws an error with the code of `dns.lookup` */
export type Resolve = (name: string) => Promise<readonly Resolved[]>;

export const systemResolve: Resolve = (name) => lookup(name, { all: true });

/**
 * Names that mean something else on every network, or nothing at all (RFC 2606, 6761, 6762, 7686, 8375, 9476), and
 * those without a dot, which a search domain completes.
 */
const SPECIAL = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|onion|test|invalid|alt|localdomain|home\.arpa)$/;

/**
 * The addresses of a name, of which every single one may be connected to: one that is not spoils all of them, since
 * which one is taken is chance. A special name's have to be listed, and nothing more is told about it.
 * @throws FetchFailure not_public, unresolved, or what the resolver throws
 */
export async function addressesOfName(
  name: string,
  addresses: Addresses,
  resolve: Resolve,
): Promise<readonly Resolved[]> {
  const isSpecial = SPECIAL.test(name);
  if (isSpecial && addresses.isListEmpty) throw new FetchFailure("not_public");
  const found = await resolve(name).catch((thrown) => {
    throw isSpecial ? new FetchFailure("not_public") : thrown;
  });
  if (found.length === 0) throw new FetchFailure("unresolved");
  const isFine = isSpecial ? addresses.isListed : addresses.isAllowed;
  if (!found.every(({ address }) => isFine(address))) throw new FetchFailure("not_public");
  return found;
}
