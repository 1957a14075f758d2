import { DAY } from "../../platform/clock.ts";
import { addressPolicy } from "../../platform/http-client/address.ts";
import { type IpNetwork, ipNetworkIn } from "../../platform/ip-network.ts";
import { timeIn } from "./log-time.ts";

/** Where operators publish the networks of their crawlers, all in the form `{creationTime, prefixes: [{ipv4Prefix | ipv6Prefix}]}`. */
export const RANGE_FILES = {
  google: "https://developers.google.com/static/crawling/ipranges/common-crawlers.json",
  bingbot: "https://www.bing.com/toolbox/bingbot.json",
  "oai-searchbot": "https://openai.com/searchbot.json",
  "chatgpt-user": "https://openai.com/chatgpt-user.json",
  gptbot: "https://openai.com/gptbot.json",
  anthropic: "https://claude.com/crawling/bots.json",
  perplexitybot: "https://www.perplexity.ai/perplexitybot.json",
  "perplexity-user": "https://www.perplexity.ai/perplexity-user.json",
  applebot: "https://search.developer.apple.com/applebot.json",
  duckduckbot: "https://duckduckgo.com/duckduckbot.json",
  duckassistbot: "https://duckduckgo.com/duckassistbot.json",
  ccbot: "https://index.commoncrawl.org/ccbot.json",
  "mistralai-user": "https://mistral.ai/mistralai-user-ips.json",
} as const;

export type RangeFile = keyof typeof RANGE_FILES;

export const RANGE_FILE_NAMES = Object.keys(RANGE_FILES) as RangeFile[];

/** What a file says: its networks, and when it was published, where it says so. */
export interface PublishedRanges {
  readonly networks: readonly string[];
  readonly publishedAt: number | null;
}

/** Why a file is not believed. */
export class RefusedRanges extends Error {}

/** No list is nearly as long, and no network nearly as large: a file that says more would let in whoever forges a crawler. */
const MOST_NETWORKS = 10_000;
const LEAST_BITS = { ipv4: 16, ipv6: 32 } as const;
/** Addresses of all IPv4 networks together. */
const MOST_ADDRESSES = 2 ** 20;

/** @throws RefusedRanges */
export function rangesIn(text: string, now: number): PublishedRanges {
  const { prefixes, creationTime } = fieldsOf(text);
  if (!Array.isArray(prefixes)) throw new RefusedRanges("it is not a list of networks");
  if (prefixes.length === 0) throw new RefusedRanges("it has no networks");
  if (prefixes.length > MOST_NETWORKS) throw new RefusedRanges(`it has more than ${MOST_NETWORKS} networks`);
  const publishedAt = timeIn(creationTime);
  if (publishedAt !== null && publishedAt > now + DAY) throw new RefusedRanges("it says that it is from the future");
  const networks = prefixes.map(prefixIn);
  refuseWide(networks.map((one) => ipNetworkIn(one)!));
  return { networks, publishedAt };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    throw new RefusedRanges("it is not JSON");
  }
}

function prefixIn(prefix: unknown): string {
  const { ipv4Prefix, ipv6Prefix } = (prefix ?? {}) as Readonly<Record<string, unknown>>;
  const text = ipv4Prefix ?? ipv6Prefix;
  const network = typeof text === "string" ? ipNetworkIn(text) : null;
  if (!network) throw new RefusedRanges("an entry is no network");
  if (!PUBLIC.isAllowed(network[0].toString())) throw new RefusedRanges(`${text} is not public`);
  return text as string;
}

const PUBLIC = addressPolicy([]);

function refuseWide(networks: readonly IpNetwork[]): void {
  let addresses = 0;
  for (const [address, bits] of networks) {
    if (bits < LEAST_BITS[address.kind()]) throw new RefusedRanges(`${address}/${bits} is too large a network`);
    if (address.kind() === "ipv4") addresses += 2 ** (32 - bits);
  }
  if (addresses > MOST_ADDRESSES) throw new RefusedRanges("its networks are too large together");
}
