import { PACE } from "../../indexing/preflight/politeness.ts";
import { SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { userAgentOf } from "../../platform/http-client/http-client.ts";
import type { Document } from "./document.ts";
import { fenced, page } from "./markdown.ts";

/** For whoever finds us in the log of a server: the page that our User-Agent names. */
export function botDocument(config: Pick<Config, "siteUrl" | "contact">): Document {
  const { siteUrl, contact } = config;
  return {
    path: "/bot",
    title: "The Beckon fetcher",
    summary: "What Beckon fetches from web servers, how often, and how to keep it away.",
    markdown: page(
      "# The Beckon fetcher",
      `Beckon submits pages to search engines for the people who ask it to. It is not a crawler: it follows no links, and
it fetches only addresses that a customer has named. It introduces itself as`,
      fenced("text", userAgentOf(config)),
      "## What it fetches, and why",
      `- A page, before it is submitted and when Google does not have it: whether it is there, and whether it may be
  indexed. At most the beginning of it is read, and nothing of it is kept.
- \`robots.txt\` of the page's host: whether Googlebot may fetch the page.
- A sitemap, when a customer has it read: for the page addresses in it.
- A key file named after its key, \`/….txt\`: whether a customer who says so holds the host (IndexNow).`,
      "All of it with GET, without cookies, scripts or forms.",
      "## How often",
      `A page is fetched a few times in two weeks for each time it is submitted. Of one host it fetches at most
${PACE.perHost} pages at a time, beginning no more than ${SECOND / PACE.gapMs} in a second; \`robots.txt\` about once an hour while there is work
for the host. It rests when it is answered with status 429.`,
      "## How to keep it away",
      `It keeps to the rules for Googlebot in \`robots.txt\`: a page that Googlebot may not fetch is neither fetched nor
submitted.`,
      fenced("text", "User-agent: Googlebot\nDisallow: /not-for-search/"),
      `That closes the page to Google as well. To keep only Beckon away, answer its User-Agent with status 403, or write to
${contact ? `\`${contact}\`` : `the operator of \`${siteUrl}\``}. The same address is right for anything that looks wrong.`,
    ),
  };
}
