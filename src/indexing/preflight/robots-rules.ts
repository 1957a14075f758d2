/** The rules of a robots.txt for Googlebot. */
export interface RobotsRules {
  /** @param address path and query of a URL */
  allows(address: string): boolean;
  /** Number of rules. */
  readonly size: number;
}

interface Rule {
  readonly pattern: string;
  readonly allows: boolean;
}

/** Spellings that Google's parser (github.com/google/robotstxt) accepts. */
const AGENT = new Set(["user-agent", "useragent", "user agent"]);
const DISALLOW = new Set(["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]);

/** Longer lines are skipped; Google truncates them at this length (eight times the 2,083 bytes of a URL). */
const MAX_LINE = 16_664;

/**
 * Reads a robots.txt as Google does (RFC 9309; developers.google.com/crawling/docs/robots-txt/robots-txt-spec): the
 * groups of `googlebot` are merged, and those of `*` count only where there are none. Only a rule ends the list of a group's
 * user agents. The package robots-parser ends it at any other line too, and keeps every group of every robot: 120 KB of user
 * agents and rules take it 20 seconds and 1.4 GB.
 */
export function robotsRules(text: string): RobotsRules {
  const googlebotRules: Rule[] = [];
  const wildcardRules: Rule[] = [];
  let isGooglebot = false;
  let isWildcard = false;
  let hasGooglebot = false;
  let isInRules = false;
  for (const { key, value } of linesOf(text)) {
    if (AGENT.has(key)) {
      if (isInRules) isGooglebot = isWildcard = isInRules = false;
      if (/^\*(?:\s|$)/.test(value)) isWildcard = true;
      else if (/^[A-Za-z_-]*/.exec(value)?.[0].toLowerCase() === "googlebot") isGooglebot = hasGooglebot = true;
    } else if (key === "allow" || DISALLOW.has(key)) {
      isInRules = true;
      if (value === "") continue;
      const rules = rulesOf(canonical(value), key === "allow");
      if (isGooglebot) googlebotRules.push(...rules);
      if (isWildcard) wildcardRules.push(...rules);
    }
  }
  const rules = hasGooglebot ? googlebotRules : wildcardRules;
  rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows));
  return { allows: (address) => decide(rules, canonical(address)), size: rules.length };
}

function* linesOf(text: string): Generator<{ key: string; value: string }> {
  for (const whole of text.split(/\r\n|\r|\n/)) {
    if (whole.length > MAX_LINE) continue;
    const line = whole.split("#", 1)[0]!.trim();
    const colon = line.indexOf(":");
    // A missing colon is accepted where the line has two words.
    const [, key = "", value = ""] =
      (colon > 0 ? /^([^:]+):(.*)$/s : /^(\S+)\s+(\S+)$/).exec(line.replace(/^\uFEFF/, "")) ?? [];
    if (key !== "") yield { key: key.trim().toLowerCase(), value: value.trim() };
  }
}

/** A rule that allows an index page allows its folder too, as in Google's parser. */
function rulesOf(pattern: string, allows: boolean): Rule[] {
  const slash = pattern.lastIndexOf("/");
  const isIndex = allows && pattern.startsWith("/index.htm", slash);
  return isIndex
    ? [
        { pattern, allows },
        { pattern: `${pattern.slice(0, slash + 1)}$`, allows },
      ]
    : [{ pattern, allows }];
}

/**
 * Normalises a pattern or an address: characters that are not ASCII or not allowed in URLs are escaped, escapes of unreserved
 * characters are decoded, and the others are upper case (RFC 9309 section 2.2.2).
 */
function canonical(text: string): string {
  if (/^[\w\-.~/*$?=&,;:@!+()]*$/.test(text)) return text;
  return text
    .replace(/[^\x21-\x7e]|["<>\\^`{|}']/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    )
    .replace(/%[\da-f]{2}/gi, (triplet) => {
      const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      return /[\w\-.~]/.test(character) ? character : triplet.toUpperCase();
    });
}

/** Most characters that are compared for one address, about 5 ms. A file that needs more allows the address. */
const MAX_WORK = 4_000_000;

/** The first match decides: rules are sorted by length of pattern, and of equal length those that allow come first. */
function decide(rules: readonly Rule[], address: string): boolean {
  let work = 0;
  for (const { pattern, allows } of rules) {
    if (pattern.includes("*")) work += pattern.length + address.length;
    if (work > MAX_WORK) return true;
    if (matches(pattern, address)) return allows;
  }
  return true;
}

/** `*` matches any characters, and a `$` at the end the end. The first match of each part is enough, so nothing backtracks. */
function matches(pattern: string, address: string): boolean {
  const isToEnd = pattern.endsWith("$");
  const parts = (isToEnd ? pattern.slice(0, -1) : pattern).split("*");
  const last = parts.pop()!;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (address.startsWith(part) ? 0 : -1) : address.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (isToEnd) {
    const isWhole = parts.length > 0 || address.length === last.length;
    return isWhole && address.length - last.length >= at && address.endsWith(last);
  }
  return parts.length === 0 ? address.startsWith(last) : address.indexOf(last, at) !== -1;
}
