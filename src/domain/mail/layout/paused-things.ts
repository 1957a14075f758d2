/** What acts by itself, and was paused when its account was taken back. */
export interface PausedThing {
  readonly kind: "webhook" | "watch";
  /** The origin that a webhook tells, or the address of a sitemap. */
  readonly where: string;
}

const WORDS = { webhook: "Webhook to", watch: "Watch of" } as const;

/** The paragraphs of a mail that list it; none where nothing was paused. */
export function pausedThings(paused: readonly PausedThing[], siteUrl: string): string[] {
  if (paused.length === 0) return [];
  return [
    "These were paused, because somebody else may have made or changed them. Make active again what is yours, on the pages of webhooks and of watches, and delete the rest:",
    paused.map(({ kind, where }) => `- ${WORDS[kind]} ${where}`).join("\n"),
    `${siteUrl}/dashboard`,
  ];
}
