import type { CrawlEngine } from "../../domain/projects/facts.ts";
import type { RangeFile } from "./range-files.ts";

/** For what a crawler reads a page. `person`: somebody has asked an assistant, which reads it now. */
export const PURPOSES = ["search", "person", "training", "other"] as const;

export interface Crawler {
  /** Whose index the page may come into, of the engines that pages are submitted to. */
  readonly engine: "google" | "bing" | "yandex" | null;
  readonly purpose: (typeof PURPOSES)[number];
  /** The published lists of networks in which its addresses are. */
  readonly ranges: readonly RangeFile[];
  /** The domains to which the names of its addresses belong. */
  readonly domains: readonly string[];
}

const NONE = { engine: null, domains: [] } as const;
const GOOGLE = {
  engine: "google",
  ranges: ["google"],
  domains: ["googlebot.com", "google.com", "googleusercontent.com"],
} as const;
const ANTHROPIC = { ...NONE, ranges: ["anthropic"] } as const;
const DUCKDUCKGO = { ...NONE, ranges: ["duckduckbot", "duckassistbot"] } as const;

/**
 * The crawlers whose visits are kept, by the token with which they name themselves in User-Agent. Tokens of robots.txt, such as
 * Google-Extended, visit nothing, and are not here.
 */
const CRAWLERS = {
  Googlebot: { ...GOOGLE, purpose: "search" },
  "Googlebot-Image": { ...GOOGLE, purpose: "search" },
  "Googlebot-News": { ...GOOGLE, purpose: "search" },
  "Googlebot-Video": { ...GOOGLE, purpose: "search" },
  "Storebot-Google": { ...GOOGLE, purpose: "search" },
  "Google-InspectionTool": { ...GOOGLE, purpose: "other" },
  GoogleOther: { ...GOOGLE, purpose: "other" },
  bingbot: { engine: "bing", purpose: "search", ranges: ["bingbot"], domains: ["search.msn.com"] },
  YandexBot: { engine: "yandex", purpose: "search", ranges: [], domains: ["yandex.ru", "yandex.net", "yandex.com"] },
  "OAI-SearchBot": { ...NONE, purpose: "search", ranges: ["oai-searchbot"] },
  "ChatGPT-User": { ...NONE, purpose: "person", ranges: ["chatgpt-user"] },
  GPTBot: { ...NONE, purpose: "training", ranges: ["gptbot"] },
  "Claude-SearchBot": { ...ANTHROPIC, purpose: "search" },
  "Claude-User": { ...ANTHROPIC, purpose: "person" },
  ClaudeBot: { ...ANTHROPIC, purpose: "training" },
  PerplexityBot: { ...NONE, purpose: "search", ranges: ["perplexitybot"] },
  "Perplexity-User": { ...NONE, purpose: "person", ranges: ["perplexity-user"] },
  Applebot: { engine: null, purpose: "search", ranges: ["applebot"], domains: ["applebot.apple.com"] },
  DuckDuckBot: { ...DUCKDUCKGO, purpose: "search" },
  DuckAssistBot: { ...DUCKDUCKGO, purpose: "person" },
  CCBot: { engine: null, purpose: "training", ranges: ["ccbot"], domains: ["crawl.commoncrawl.org"] },
  "Amzn-SearchBot": { engine: null, purpose: "search", ranges: [], domains: ["crawl.amazonbot.amazon"] },
  "MistralAI-User": { ...NONE, purpose: "person", ranges: ["mistralai-user"] },
} as const satisfies Readonly<Record<string, Crawler>>;

export type CrawlerName = keyof typeof CRAWLERS;

export const CRAWLER_NAMES = Object.keys(CRAWLERS) as CrawlerName[];

/** The searchers of agents: who asks an assistant may be shown what these have read. */
export const AGENT_SEARCHERS = ["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"] as const satisfies CrawlerName[];

export function crawlerNamed(name: CrawlerName): Crawler {
  return CRAWLERS[name];
}

/** The engine whose crawl a visit of the crawler is; null where it is none, as of a preview. */
export function engineOf(name: CrawlerName): CrawlEngine | null {
  const { engine, purpose } = crawlerNamed(name);
  return purpose === "search" && (engine === "google" || engine === "bing") ? engine : null;
}

export const ENGINE_CRAWLERS = CRAWLER_NAMES.filter((name) => engineOf(name) !== null);

const byToken = new Map(CRAWLER_NAMES.map((name) => [name.toLowerCase(), name]));
// At its place in User-Agent, a token follows the beginning, a blank or a parenthesis. The addresses there, which often repeat the name, do not.
const TOKEN = new RegExp(`(?:^|[\\s;(,])(${CRAWLER_NAMES.join("|")})(?=[/\\s;),]|$)`, "i");

/** The crawler that a User-Agent names by a whole token: `Claude-User` is not `ClaudeBot`, and `NotGooglebot` is nobody. */
export function crawlerIn(userAgent: string): CrawlerName | null {
  const token = TOKEN.exec(userAgent)?.[1];
  return token === undefined ? null : byToken.get(token.toLowerCase())!;
}
