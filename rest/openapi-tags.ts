import type { AnyOperation, Toolset } from "../src/contract/operation.ts";

/** The groups in which readers and generators of clients show the operations: the toolsets of MCP. */
const DESCRIPTIONS: Readonly<Record<Toolset, string>> = {
  jobs: "Projects and their URLs: submitting, checking, following and cancelling them; sitemaps.",
  credits: "The account and its balance: prices, purchases, and what a credential may spend.",
  sites: "Hosts that the account has verified as its own.",
  watches: "Sitemaps that are read again and again, notices of changed pages, and reports.",
  results: "What became of submissions, compared and over time.",
  webhooks: "Events of the account, and the addresses that they are sent to.",
};

export function tagsOf({ toolset }: AnyOperation): string[] {
  return [toolset];
}

/** The tags that these operations have, described. */
export function describedTags(operations: readonly AnyOperation[]): object[] {
  const used = new Set(operations.flatMap(tagsOf));
  return Object.entries(DESCRIPTIONS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
}
