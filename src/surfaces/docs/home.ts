import { CHECK_DAYS } from "../../platform/check-days.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS } from "./key-figures.ts";
import { list } from "./markdown.ts";
import { pageOf } from "./page.ts";
import { packTable } from "./pricing.ts";
import { TIMELINE_ALT, TIMELINE_PATH } from "./timeline.ts";

/** What Beckon is, in one line and in one breath; the front page, its picture for sharing and llms.txt say the same. */
export const HEADLINE = "Submit your pages to Google, and see which ones it indexes";
export const LEAD = `Beckon submits your URLs to Google, Bing and Yandex, checks on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final} whether Google has indexed them, and returns the credits of the pages that it has not.`;

/** What the front page says below its picture, as Markdown; `/` shows it in columns, `/index.md` as lists. */
export const STEPS = [
  {
    title: "Paste URLs or a sitemap",
    text: "Beckon leaves out duplicates and invalid lines, and tells you the price before anything is spent. A project takes up to 10,000 URLs.",
  },
  {
    title: "They are sent, then looked up",
    text: `Beckon looks every URL up in Google on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}, and sends it once more if Google does not have it on day ${CHECK_DAYS.first}. You see which service accepted it, and what each check found.`,
  },
  {
    title: "Credits come back",
    text: `In full, for every URL that Google has not indexed on day ${CHECK_DAYS.final}, that was never sent, or of which nobody could find out. They come back as credits, not as money. [The details](/docs/concepts#returned-credits)`,
  },
] as const;

export const CAVEATS = [
  "**Nobody can make Google index a page.** Google decides by itself what it crawls and indexes. Beckon submits the page, checks, and tells you the result.",
  "**Bing and Yandex** take only pages of sites that you have [verified as yours](/docs/operations/add_site). Credits depend on Google alone.",
  "**A page that you close yourself** gives no credits back: Google had indexed it, and on the last day it is gone, says noindex, or is blocked by robots.txt.",
] as const;

export const COSTS_SENTENCE = `A URL costs ${CREDIT_COSTS.standard} credit, or ${CREDIT_COSTS.instant} if it is to be sent first (instant). Checking ${CREDIT_COSTS.checked} URLs without sending them costs 1. Credits do not expire, and there is no subscription.`;

/** The line that connects an MCP host. */
export function mcpLine({ siteUrl }: Pick<Config, "siteUrl">): string {
  return `claude mcp add --transport http beckon ${siteUrl}/mcp`;
}

export const AGENT_LINE_INTRO = "This line connects Claude Code:";

/** Where else agents and programs start. */
export const AGENT_STARTS =
  "Then type `/mcp` in a session to sign in. There is a page for [other MCP hosts](/docs/quickstart/claude), [A2A agents](/docs/quickstart/a2a), [curl](/docs/quickstart/curl) and [JavaScript](/docs/quickstart/javascript), and one for [agents without a key](/auth.md).";

/** The front page as Markdown. As HTML it is `front-page.tsx` of the website. */
export function homeDocument(config: Config): Document {
  return pageOf("/", config, {
    promise: HEADLINE.toLowerCase(),
    headline: HEADLINE,
    lead: LEAD,
    sandboxNotice: SANDBOX_NOTICE,
    steps: STEPS.map(({ title, text }, index) => `${index + 1}. **${title}.** ${text}`).join("\n"),
    timelineAlt: TIMELINE_ALT,
    timelinePath: TIMELINE_PATH,
    caveats: list(CAVEATS),
    packs: packTable(config),
    costs: COSTS_SENTENCE,
    agentLineIntro: AGENT_LINE_INTRO,
    mcpLine: mcpLine(config),
    agentStarts: AGENT_STARTS,
  });
}

export const SANDBOX_NOTICE =
  "**This is a sandbox.** No search engine is called, no real money moves, and time may run faster. [What happens in a sandbox](/docs/sandbox)";
