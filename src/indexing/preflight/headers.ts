import type { Agent } from "../../domain/projects/access.ts";
import { asksForNoIndex } from "./directives.ts";

/**
 * Whether X-Robots-Tag asks a crawler not to index. A user agent before a rule (`otherbot: noindex, nofollow`) applies
 * to the rules up to the next user agent of its line.
 * @param lines the header, one for each line that has it
 * @param now real ms
 */
export function isNoIndexByHeader(lines: readonly string[], now: number, agent: Agent = "Googlebot"): boolean {
  return lines.some((line) => rulesFor(agent, line).some((rules) => asksForNoIndex(rules, now)));
}

/** A word before a colon, at the beginning of a line or after a comma: a user agent, or a rule with a value. */
const NAME = /(?:^|,)\s*([a-z*][\w*./-]*)\s*:/gi;
const VALUED_RULE = /^(?:unavailable_after$|max-)/;

/** The parts of a line that are for every robot, or for this one. */
function rulesFor(agent: Agent, line: string): string[] {
  const found: string[] = [];
  let from = 0;
  let isForIt = true;
  for (const { 0: match, 1: named, index } of line.matchAll(NAME)) {
    const name = named!.toLowerCase();
    if (VALUED_RULE.test(name)) continue;
    if (isForIt) found.push(line.slice(from, index));
    from = index + match.length;
    isForIt = name === "*" || name === agent.toLowerCase();
  }
  if (isForIt) found.push(line.slice(from));
  return found;
}

/** The targets of `Link: <…>; rel="canonical"` (RFC 8288) as written, at most five. */
export function canonicalsByHeader(header = ""): string[] {
  const found: string[] = [];
  for (const link of header.split(/,(?=\s*<)/)) {
    const parts = /<([^>]*)>(.*)/s.exec(link);
    if (!parts || !isCanonical(parts[2]!)) continue;
    found.push(parts[1]!);
    if (found.length === 5) break;
  }
  return found;
}

function isCanonical(parameters: string): boolean {
  const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
  return relation !== null && (relation[1] ?? relation[2]!).toLowerCase().split(/\s/).includes("canonical");
}
