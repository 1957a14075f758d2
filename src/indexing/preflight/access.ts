import { type Access, AGENTS, type Agent, type KeptOutBy } from "../../domain/projects/access.ts";
import { isRefusedBySignal } from "./content-signal.ts";
import type { PageFacts } from "./page-facts.ts";
import type { RobotsAnswer } from "./robots.ts";

/**
 * Which crawlers robots.txt, the page or a Content-Signal keeps out. We ask under our own name only: that our request was
 * refused says nothing of theirs, which is then not known.
 * @param address path and query of the page
 */
export function accessOf({ rules, isReached }: RobotsAnswer, address: string, page: PageFacts | null): Access {
  const access: { [Name in Agent]?: KeptOutBy | "unknown" } = {};
  const { noIndexFor = new Set<Agent>(), isRead = false, signals = [] } = page?.index ?? {};
  for (const agent of AGENTS) {
    if (isReached && !rules.allowsAgent(agent, address)) access[agent] = "robots";
    else if (noIndexFor.has(agent)) access[agent] = "noindex";
    else if (isReached && isRefusedBySignal([...rules.signalsFor(agent), ...signals], agent, address))
      access[agent] = "content_signal";
    else if (!(isReached && isRead)) access[agent] = "unknown";
  }
  return access;
}

/** The crawlers of searches besides Google's. */
export const OTHER_AGENTS = AGENTS.filter((agent) => agent !== "Googlebot");

/** Whether a crawler of a search besides Google's is kept out. */
export function keepsAgentsOut(access: Access): boolean {
  return OTHER_AGENTS.some((agent) => access[agent] !== undefined && access[agent] !== "unknown");
}
