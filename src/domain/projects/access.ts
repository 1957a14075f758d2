import type { LinkFact } from "./facts.ts";

/** Crawlers of searches, by their names in robots.txt. */
export const AGENTS = [
  "Googlebot",
  "bingbot",
  "OAI-SearchBot",
  "Claude-SearchBot",
  "PerplexityBot",
  "Applebot",
] as const;
export type Agent = (typeof AGENTS)[number];

/** By what a page keeps a crawler out; `unknown`: it is not known whether it does. */
export const KEPT_OUT_BY = ["robots", "noindex", "content_signal"] as const;
export type KeptOutBy = (typeof KEPT_OUT_BY)[number];

/** The crawlers that are kept out, or of which it is not known. All others are let in. */
export type Access = { readonly [Name in Agent]?: KeptOutBy | "unknown" };

/** Whether each crawler may read and list a page, by its newest check. */
export function accessIn(facts: readonly LinkFact[]) {
  const access = facts.findLast(({ source }) => source === "preflight")?.shared.access as Access | undefined;
  const of = (agent: Agent) => (access ? (access[agent] ?? null) : "unknown");
  const entries = AGENTS.map((agent) => {
    const by = of(agent);
    return [agent, by === "unknown" ? { allowed: null, by: null } : { allowed: by === null, by }] as const;
  });
  return Object.fromEntries(entries) as Record<Agent, { allowed: boolean | null; by: KeptOutBy | null }>;
}
