import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
import { INVALID_REASONS, invalidReason } from "../../platform/urls/urls.ts";

/** A sitemap of an index that could not be read. Its address is a stranger's text, of which only the host is told. */
export interface FailedSitemap {
  /** Its place among the entries of the index, from 0. */
  readonly position: number;
  /** Which one it is and what is wrong, in words of ours. */
  readonly words: string;
}

/** Most failures that are told one by one. */
export const MOST_FAILURES = 10;

/** @param url that was fetched */
export function failedSitemap(position: number, url: string, { message }: Refusal): FailedSitemap {
  return {
    position,
    words: `${nameOf(position)} (${new URL(url).host}): ${message.replace(" Nothing was spent.", "")}`,
  };
}

/** @param address as the index has it; null for its own */
export function rejectedSitemap(position: number, address: string | null): FailedSitemap {
  const what =
    address === null
      ? "is the address of the index itself"
      : `is no address: ${INVALID_REASONS[invalidReason(address)]}`;
  return { position, words: `${nameOf(position)} ${what}.` };
}

function nameOf(position: number): string {
  return `Entry ${formatNumber(position + 1)} of the index`;
}

/** An index in an index is not followed (sitemaps.org/protocol.html). */
export function nestedIndex(): Refusal {
  const message = "It is an index itself, and an index must not list another index: give its own address to read it.";
  return new Refusal("sitemap_invalid", message, { reason: "nested_index" });
}
