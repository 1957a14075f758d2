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
