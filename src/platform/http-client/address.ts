import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type IpNetwork, ipNetworkIn } from "../ip-network.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Decides which IP addresses may be connected to. An address is text that `net.isIP` knows, without brackets. */
export interface AddressPolicy {
  /** Whether it is public, or in FETCH_ALLOW_CIDRS. */
  isAllowed(address: string): boolean;
  /** Whether it is in FETCH_ALLOW_CIDRS. */
  isListed(address: string): boolean;
  readonly isListEmpty: boolean;
}

/** @param cidrs FETCH_ALLOW_CIDRS @throws Error naming that setting when a part of it is no network */
export function addressPolicy(cidrs: readonly string[]): AddressPolicy {
  const networks = cidrs.map(networkOf);
  const isIn = (address: Address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  const check = (text: string, test: (address: Address) => boolean) => {
    const address = reachedBy(text);
    return address !== null && test(address);
  };
  return {
    isAllowed: (text) => check(text, (address) => isPublic(address) || isIn(address)),
    isListed: (text) => check(text, isIn),
    isListEmpty: networks.length === 0,
  };
}

/** Well-known prefix of NAT64 (RFC 6052): where a network has IPv6 only, IPv4 hosts are reached by it. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** What ipaddr.js takes for a mapped IPv4 address, and no system does: IPv4-compatible IPv6 (RFC 4291 section 2.5.5.1). */
const COMPATIBLE = /^::\d+\./;

/** The address that packets finally reach: the IPv4 one inside a mapped or NAT64 address. Null: no address, or one with a zone. */
function reachedBy(text: string): Address | null {
  if (isIP(text) === 0 || text.includes("%") || COMPATIBLE.test(text)) return null;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** The only part of IPv6 that is allocated as global unicast (RFC 4291 section 2.4, IANA's registry). */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by its form, but a machine's own cloud: the wire server of Azure, which hands out the machine's configuration. */
const CLOUD_INTERNAL = new Set(["168.63.129.16"]);

/** 6to4 and Teredo addresses are never public, whatever is embedded in them: ipaddr.js does not count them as unicast. */
function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL)) return false;
  return address.range() === "unicast" && !CLOUD_INTERNAL.has(address.toString());
}

function networkOf(text: string): IpNetwork {
  const network = ipNetworkIn(text);
  if (network) return network;
  throw new Error(`FETCH_ALLOW_CIDRS: "${text}" is not a network such as 10.1.0.0/16 or fd00::/8`);
}
