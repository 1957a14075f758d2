import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { AddressPolicy } from "./address.ts";
import { FetchFailure } from "./failure.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks up all addresses of a name. @throws an error with the code of `dns.lookup` */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = (name) => lookup(name, { all: true });

/** The lookups by which an address proves its name. They take no thread, unlike `systemResolve`, and end by themselves. */
export interface NameLookups {
  /** The names of an address. @throws an error with a code of DNS */
  reverse(address: string): Promise<readonly string[]>;
  /** The addresses of a name, of IPv6 or of IPv4. @throws an error with a code of DNS */
  forward(name: string, family: 4 | 6): Promise<readonly string[]>;
}

export function systemNames(): NameLookups {
  const resolver = new Resolver({ timeout: 1_500, tries: 1 });
  return {
    reverse: (address) => resolver.reverse(address),
    forward: (name, family) => (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
  };
}

/** Names of one address that are looked at. */
const MOST_NAMES = 5;

/**
 * Whether an address has a name in one of the domains that leads back to it. Only such names are looked up: an address names
 * itself as it likes. Null: nobody has answered.
 */
export async function hasNameIn(
  { reverse, forward }: NameLookups,
  address: string,
  domains: readonly string[],
): Promise<boolean | null> {
  const family = isIP(address) === 6 ? 6 : 4;
  try {
    const names = (await reverse(address)).slice(0, MOST_NAMES).map((name) => name.toLowerCase().replace(/\.$/, ""));
    for (const name of names.filter((one) => domains.some((domain) => one.endsWith(`.${domain}`))))
      if ((await forward(name, family)).some((one) => isSame(one, address))) return true;
    return false;
  } catch (thrown) {
    return NO_SUCH_NAME.has((thrown as NodeJS.ErrnoException).code ?? "") ? false : null;
  }
}

const NO_SUCH_NAME: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"]);

/** An address of IPv6 can be written in several ways. */
function isSame(one: string, other: string): boolean {
  return isIP(one) !== 0 && ipaddr.process(one).toString() === ipaddr.process(other).toString();
}

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
