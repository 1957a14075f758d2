import { canonicalPath, matchesPath } from "../../platform/urls/path-patterns.ts";

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

/** Longer lines are skipped. Google truncates them at this length, which is eight times the 2,083 bytes of a URL. */
const MAX_LINE = 16_664;

/**
 * Reads a robots.txt as Google does (RFC 9309; developers.google.com/crawling/docs/robots-txt/robots-txt-spec). The
 * groups of `googlebot` are merged, and the groups of `*` count only if there are none. Only a rule ends the list of
 * a group's user agents. The package robots-parser ends the list at any other line too, and a hostile file costs it
 * too much time and memory (docs/decisions.md).
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
      const rules = rulesOf(canonicalPath(value), key === "allow");
      if (isGooglebot) googlebotRules.push(...rules);
      if (isWildcard) wildcardRules.push(...rules);
    }
  }
  const rules = hasGooglebot ? googlebotRules : wildcardRules;
  rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows));
  return { allows: (address) => decide(rules, canonicalPath(address)), size: rules.length };
}

function* linesOf(text: string): Generator<{ key: string; value: string }> {
  for (const [whole] of text.matchAll(/[^\r\n]+/g)) {
    if (whole.length > MAX_LINE) continue;
    const line = whole.split("#", 1)[0]!.trim();
    const colon = line.indexOf(":");
    // A missing colon is accepted if the line has two words.
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
 * Most characters that are compared for one address, about 5 ms of work. A file that needs more allows the address.
 */
const MAX_WORK = 4_000_000;

/** The first match decides. Longer patterns come first, and of two with the same length the one that allows. */
function decide(rules: readonly Rule[], address: string): boolean {
  let work = 0;
  for (const { pattern, allows } of rules) {
    if (pattern.includes("*")) work += pattern.length + address.length;
    if (work > MAX_WORK) return true;
    if (matchesPath(pattern, address)) return allows;
  }
  return true;
}
