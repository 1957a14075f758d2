import { isIP } from "node:net";

/** The key that an IP address is limited by: itself, or the /64 network of an IPv6 address, which is one household. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped || isIP(ip) !== 6) return mapped ?? ip;
  const [head, tail] = ip.split("%")[0]!.split("::");
  const left = head === "" ? [] : head!.split(":");
  const right = tail?.split(":") ?? [];
  const middle = Array<string>(8 - left.length - right.length).fill("0");
  const groups = [...left, ...middle, ...right].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, "").toLowerCase()).join(":");
}
