import type { LinkRecord, LinkRow, Observation } from "./read.ts";

/**
 * What the evidence says of a link. It is the state of the link, with two exceptions: a link that was indexed and was not found
 * at its last check is `gone`, and a link that no check could decide is `unknown`.
 */
export const FINDINGS = ["waiting", "checking", "indexed", "gone", "not_indexed", "unknown", "failed"] as const;
export type Finding = (typeof FINDINGS)[number];

export interface Evidence {
  readonly finding: Finding;
  /** Service times of the first and of the last check that found the page; null if none did. They are never overwritten. */
  readonly firstFoundAt: number | null;
  readonly foundAt: number | null;
  /** Service time of the first check that did not find the page any more; null unless it is gone. */
  readonly goneAt: number | null;
  /** Our word for why the last check did not find it, such as `noindex`; null where it gives no reason. */
  readonly reason: string | null;
}

/** @param last the result of the last check; null if there was none */
export function findingOf(
  { state, error }: Pick<LinkRow, "state" | "error">,
  last: Observation["result"] | null,
): Finding {
  if (state === "indexed" && last === "not_indexed") return "gone";
  return error === "unverifiable" ? "unknown" : state;
}

export function evidenceOf({ link, observations }: Pick<LinkRecord, "link" | "observations">): Evidence {
  const last = observations.at(-1);
  const found = observations.findLastIndex(({ result }) => result === "indexed");
  const lost = observations.slice(found + 1).find(({ result }) => result === "not_indexed");
  const finding = findingOf(link, last?.result ?? null);
  return {
    finding,
    firstFoundAt: observations.find(({ result }) => result === "indexed")?.at ?? null,
    foundAt: observations[found]?.at ?? null,
    goneAt: finding === "gone" ? (lost?.at ?? null) : null,
    reason: last?.result === "not_indexed" ? last.reason : null,
  };
}
