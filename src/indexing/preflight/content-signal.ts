import type { Agent } from "../../domain/projects/access.ts";
import { canonicalPath, matchesPath } from "../../platform/urls/path-patterns.ts";

/** One line of Content-Signal (https://contentsignals.org): what it refuses, and of which paths. */
export interface ContentSignal {
  /** A pattern of robots.txt; null: every path. */
  readonly pattern: string | null;
  readonly refused: ReadonlySet<string>;
}

/** Reads `search=yes, ai-input=no`, which may begin with a path. */
export function contentSignal(value: string): ContentSignal {
  const [, path, rest] = /^(?:([/*]\S*)\s)?(.*)/s.exec(value.trim())!;
  const pairs = rest!.toLowerCase().matchAll(/([\w-]+)\s*=\s*(\w+)/g);
  const refused = new Set([...pairs].flatMap(([, name, word]) => (word === "no" ? [name!] : [])));
  return { pattern: path === undefined ? null : canonicalPath(path), refused };
}

/** Searches that answer in words of a model take pages as its input, which `search` does not include. */
const ANSWERING: ReadonlySet<Agent> = new Set(["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"]);

/** Whether signals ask a crawler to leave a page alone. Googlebot does not go by them. @param address path and query */
export function isRefusedBySignal(signals: readonly ContentSignal[], agent: Agent, address: string): boolean {
  if (agent === "Googlebot") return false;
  return signals.some(
    ({ pattern, refused }) =>
      (pattern === null || matchesPath(pattern, canonicalPath(address))) &&
      (refused.has("search") || (ANSWERING.has(agent) && refused.has("ai-input"))),
  );
}
