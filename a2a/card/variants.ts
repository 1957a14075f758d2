import type { Config } from "../../src/platform/config/config.ts";
import { type AgentCard, agentCard } from "./card.ts";
import { legacyCard } from "./legacy.ts";

/**
 * The card for a client that sends this `A2A-Version`, in the form of 1.0 or of 0.3. A client that sends none may
 * speak either version, because 0.3 has no such header. It gets both forms in one document: each version ignores the
 * members of the other.
 */
export function agentCards(config: Config): (version: string | undefined) => object {
  const card = agentCard(config);
  const legacy = legacyCard(card);
  const both = bothIn(card, legacy);
  return (version) => {
    if (!version) return both;
    return version.trim().startsWith("0.") ? legacy : card;
  };
}

function bothIn(card: AgentCard, legacy: ReturnType<typeof legacyCard>): object {
  const schemes = Object.entries(legacy.securitySchemes);
  return {
    ...legacy,
    ...card,
    securitySchemes: Object.fromEntries(
      schemes.map(([name, scheme]) => [name, { ...scheme, ...card.securitySchemes[name] }]),
    ),
    skills: card.skills.map((skill, index) => ({ ...legacy.skills[index], ...skill })),
  };
}
