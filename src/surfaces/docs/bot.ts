import { PACE } from "../../indexing/preflight/host-throttle.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { userAgentOf } from "../../platform/http-client/http-client.ts";
import type { Document } from "./document.ts";
import { fenced, page } from "./markdown.ts";

/** The page that our User-Agent names, for people who find us in the logs of their server. */
export function botDocument(config: Pick<Config, "siteUrl" | "contact">): Document {
  const { siteUrl, contact } = config;
  return {
    path: "/bot",
    title: "The Beckon fetcher",
    summary: "What Beckon fetches from web servers, how often, and how to block it.",
    markdown: page(
      "# The Beckon fetcher",
      `Beckon submits pages to search engines for its users. It is not a crawler: it follows no links, and it fetches only
addresses that a user has submitted. Its User-Agent is`,
      fenced("text", userAgentOf(config)),
      "## What it fetches, and why",
      `- A page, before it is submitted and when Google has not indexed it, to see whether it exists and may be indexed. Only
  its beginning is read, and nothing of it is stored.
- \`robots.txt\` of the page's host, to see whether Googlebot may fetch the page.
- A sitemap, when a user asks for it, to find the page addresses in it.
- A key file, \`/….txt\`, named after its key (IndexNow), to verify that a user controls the host.`,
      "It uses GET only, sends no cookies, runs no scripts and submits no forms.",
      "## How often",
      `A page is fetched a few times in ${CHECK_DAYS.final} days each time it is submitted. From one host it fetches at most
${PACE.perHost} pages at a time and starts at most ${SECOND / PACE.gapMs} in a second. It fetches \`robots.txt\` about once an hour while pages
of the host are being submitted. It pauses when the server answers 429.`,
      "## How to block it",
      `It follows the rules for Googlebot in \`robots.txt\`: a page that Googlebot may not fetch is neither fetched nor
submitted.`,
      fenced("text", "User-agent: Googlebot\nDisallow: /not-for-search/"),
      `This blocks Google as well. To block only Beckon, answer its User-Agent with status 403, or write to
${contact ? `\`${contact}\`` : `the operator of \`${siteUrl}\``}, also if anything looks wrong.`,
    ),
  };
}
