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
  const finding = findingOf(link, last?.result ?? null);
  let firstFoundAt: number | null = null;
  let foundAt: number | null = null;
  let lostAt: number | null = null;
  for (const { result, at } of observations) {
    if (result === "indexed") {
      firstFoundAt ??= at;
      foundAt = at;
      lostAt = null;
    } else if (result === "not_indexed") lostAt ??= at;
  }
  return {
    finding,
    firstFoundAt,
    foundAt,
    goneAt: finding === "gone" ? lostAt : null,
    reason: last?.result === "not_indexed" ? last.reason : null,
  };
}
