import { AGENTS, type Agent } from "../../domain/projects/access.ts";
import { canonicalPath, matchesPath } from "../../platform/urls/path-patterns.ts";
import { type ContentSignal, contentSignal } from "./content-signal.ts";

/** The rules of a robots.txt for the crawlers of AGENTS. */
export interface RobotsRules {
  /** Whether Googlebot may fetch it. @param address path and query of a URL */
  allows(address: string): boolean;
  allowsAgent(agent: Agent, address: string): boolean;
  signalsFor(agent: Agent): readonly ContentSignal[];
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

/** What the groups of one user agent say. */
interface Group {
  readonly rules: Rule[];
  readonly signals: ContentSignal[];
}

const NAMES: ReadonlySet<string> = new Set(AGENTS.map((agent) => agent.toLowerCase()));
const NOTHING: Group = { rules: [], signals: [] };

/**
 * Reads a robots.txt as Google does (RFC 9309; developers.google.com/crawling/docs/robots-txt/robots-txt-spec). The
 * groups of one user agent are merged, and the groups of `*` count only if there are none. Only a rule ends the list of
 * a group's user agents. The package robots-parser ends the list at any other line too, and a hostile file costs it
 * too much time and memory (docs/decisions.md).
 */
export function robotsRules(text: string): RobotsRules {
  const groups = new Map<string, Group>();
  let open: Group[] = [];
  let isInRules = false;
  for (const { key, value } of linesOf(text)) {
    if (AGENT.has(key)) {
      if (isInRules) open = [];
      isInRules = false;
      const name = /^\*(?:\s|$)/.test(value) ? "*" : /^[A-Za-z_-]*/.exec(value)![0].toLowerCase();
      if (name !== "*" && !NAMES.has(name)) continue;
      const group = groups.get(name) ?? { rules: [], signals: [] };
      groups.set(name, group);
      if (!open.includes(group)) open.push(group);
    } else if (key === "allow" || DISALLOW.has(key)) {
      isInRules = true;
      if (value === "") continue;
      const rules = rulesOf(canonicalPath(value), key === "allow");
      for (const group of open) group.rules.push(...rules);
    } else if (key === "content-signal") for (const group of open) group.signals.push(contentSignal(value));
  }
  for (const { rules } of groups.values())
    rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows));
  const groupOf = (agent: Agent): Group => {
    const own = groups.get(agent.toLowerCase());
    // Apple says so (https://support.apple.com/en-us/119829).
    const instead = agent === "Applebot" ? groups.get("googlebot") : undefined;
    return own ?? instead ?? groups.get("*") ?? NOTHING;
  };
  const allowsAgent = (agent: Agent, address: string) => decide(groupOf(agent).rules, canonicalPath(address));
  return {
    allows: (address) => allowsAgent("Googlebot", address),
    allowsAgent,
    signalsFor: (agent) => groupOf(agent).signals,
    size: [...groups.values()].reduce((sum, { rules }) => sum + rules.length, 0),
  };
}

function* linesOf(text: string): Generator<{ key: string; value: string }> {
  for (const [whole] of text.matchAll(/[^\r\n]+/g)) {
    if (whole.length > MAX_LINE) continue;
    // This takes a byte order mark away, too.
    const line = whole.split("#", 1)[0]!.trim();
    // A missing colon is accepted if the line has two words.
    const found = /^([^:]+):(.*)/s.exec(line) ?? /^(\S+)\s+(\S+)$/.exec(line);
    if (found) yield { key: found[1]!.trim().toLowerCase(), value: found[2]!.trim() };
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
