import punycode from "punycode.js";
import { parseUrl } from "../text.ts";

/**
 * Whether each label of a host that begins with `xn--` stands for a name of other letters (an A-label, RFC 5890 section
 * 2.3.2.1). URL parsers differ in this: Node.js 22 refuses such a host, Node.js 24 and some browsers take it as it is.
 * @param host in the form that the URL parser gives it
 */
export function hasValidLabels(host: string): boolean {
  return !host.includes("xn--") || host.split(".").every((label) => !label.startsWith("xn--") || isALabel(label));
}

function isALabel(label: string): boolean {
  const name = decoded(label.slice("xn--".length));
  return name !== null && parseUrl(`http://${name}/`)?.hostname === label;
}

/** @returns null where it is no punycode (RFC 3492) */
function decoded(label: string): string | null {
  try {
    return punycode.decode(label);
  } catch {
    return null;
  }
}
