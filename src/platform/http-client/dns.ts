import { lookup } from "node:dns/promises";
import type { AddressPolicy } from "./address.ts";
import { FetchFailure } from "./failure.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks up all addresses of a name. @throws an error with the code of `dns.lookup` */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = (name) => lookup(name, { all: true });

/**
 * Names that mean something else on every network, or nothing at all (RFC 2606, 6761, 6762, 7686, 8375, 9476). Names
 * without a dot are among them, because a search domain completes them.
 */
export const SPECIAL_NAME =
  /^[^.]*$|(?:^|\.)(?:localhost|local|internal|onion|test|invalid|alt|localdomain|home\.arpa)$/;

/**
 * Looks up the addresses of a name. All of them have to be allowed, because chance decides which one is connected to.
 * The addresses of a special name have to be listed in FETCH_ALLOW_CIDRS, and the failure tells nothing more about
 * such a name.
 * @throws FetchFailure not_public, unresolved, or what the resolver throws
 */
export async function resolveAllowed(
  name: string,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<readonly ResolvedAddress[]> {
  const isSpecial = SPECIAL_NAME.test(name);
  if (isSpecial && policy.isListEmpty) throw new FetchFailure("not_public");
  const found = await resolve(name).catch((thrown) => {
    throw isSpecial ? new FetchFailure("not_public") : thrown;
  });
  if (found.length === 0) throw new FetchFailure("unresolved");
  const isAllowed = isSpecial ? policy.isListed : policy.isAllowed;
  if (!found.every(({ address }) => isAllowed(address))) throw new FetchFailure("not_public");
  return found;
}
