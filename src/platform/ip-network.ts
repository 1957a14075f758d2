import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address, and how many of its leading bits name the network. */
export type IpNetwork = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The network that a text such as `10.1.0.0/16` or `fd00::/8` names; null when it names none. */
export function ipNetworkIn(text: string): IpNetwork | null {
  const [address = "", bits = ""] = text.split("/");
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || address.includes("%") || !ipaddr.isValidCIDR(text)) return null;
  const network = ipaddr.parseCIDR(text);
  // Mapped addresses are compared as IPv4, so a network of them would never match.
  return network[0] instanceof ipaddr.IPv4 || !network[0].isIPv4MappedAddress() ? network : null;
}

/** Many networks. Whether one of them has an address takes as many steps as they have different lengths. */
export class NetworkSet {
  /** The leading bits of networks, by their kind and length. */
  readonly #prefixes = new Map<string, { readonly bits: number; readonly known: Set<string> }>();

  constructor(networks: Iterable<IpNetwork>) {
    for (const [address, bits] of networks) {
      const key = `${address.kind()} ${bits}`;
      const group = this.#prefixes.get(key) ?? { bits, known: new Set() };
      group.known.add(leading(address, bits));
      this.#prefixes.set(key, group);
    }
  }

  /** @param text an address, or anything else, which is in no network */
  has(text: string): boolean {
    if (isIP(text) === 0 || text.includes("%")) return false;
    const address = ipaddr.process(text);
    for (const [key, { bits, known }] of this.#prefixes)
      if (key.startsWith(address.kind()) && known.has(leading(address, bits))) return true;
    return false;
  }
}

function leading(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().slice(0, Math.ceil(bits / 8));
  if (bits % 8 !== 0) bytes.push(bytes.pop()! & (0xff << (8 - (bits % 8))));
  return bytes.join(".");
}
