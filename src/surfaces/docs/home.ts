import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS, FINAL_DAY, FIRST_DAY } from "./key-figures.ts";
import { fenced, page, table } from "./markdown.ts";
import { packTable } from "./pricing.ts";
import { TIMELINE_ALT, TIMELINE_PATH } from "./timeline.ts";

/** The front page: what Beckon does, what it promises, and where each kind of reader starts. */
export function homeDocument(config: Config): Document {
  const { siteUrl, mode, direct, cards } = config;
  const ways = [
    ["a person", "[Sign up](/sign-up), buy a pack and create a key in the [dashboard](/dashboard)"],
    ["Claude or another MCP host", `Connect \`${siteUrl}/mcp\`: [one line, or a few clicks](/docs/quickstart/claude)`],
    ["a program", "REST with an API key: [curl](/docs/quickstart/curl), [JavaScript](/docs/quickstart/javascript)"],
    ["an A2A agent", `Send a message to \`${siteUrl}/a2a\`: [how](/docs/quickstart/a2a)`],
    ["an agent without a key", "The e-mail address of your user is enough: [/auth.md](/auth.md)"],
    ...(direct ? [["an agent with a wallet", "Buy credits with x402: [how](/docs/quickstart/wallet)"]] : []),
  ];
  return {
    path: "/",
    title: "Beckon: get pages indexed by search engines, and know whether they are",
    summary: "What Beckon does, what it promises and what it cannot promise, what it costs, and where to start.",
    markdown: page(
      "# Get your pages indexed by Google, Bing and Yandex, and know whether they are",
      `Beckon submits URLs for indexing, checks on day ${FIRST_DAY} and day ${FINAL_DAY} whether Google has indexed them, and
returns the credits of those that it has not. People use a dashboard, programs a REST API, and agents MCP or A2A; all
of them offer the same operations.`,
      "**[Sign up](/sign-up)** **[Read the docs](/docs)**",
      mode === "sandbox" ? SANDBOX : "",
      "## What we promise, and what we cannot",
      `- **Credits are returned automatically**, in full and in both modes, for every URL that Google has not indexed on day
  ${FINAL_DAY}, and for every URL that was never sent. If nobody could find out, you are not charged either.
- **You see the evidence**: which service accepted the URL and when, and what each check found.
- **Nobody can make Google index a page.** Google decides whether and when. Beckon submits the page, checks, and tells
  you the result.
- **Instant** (${CREDIT_COSTS.instant} credits instead of ${CREDIT_COSTS.standard}) URLs are sent before those of standard projects, through a faster service
  where there is one, and are checked within the hour. They may be indexed within minutes, but this is not promised.
- **Bing and Yandex** accept only pages of sites that you have [verified as yours](/docs/operations/add_site). Beckon
  tells you when a page was skipped for that reason.`,
      `![${TIMELINE_ALT}](${TIMELINE_PATH})`,
      "## What it costs",
      packTable(config),
      `Standard indexing costs ${CREDIT_COSTS.standard} credit per URL, instant indexing ${CREDIT_COSTS.instant}; checking URLs without sending them costs 1 credit per
${CREDIT_COSTS.checked} URLs. Credits do not expire. ${cards === "none" && !direct ? "" : "[More about prices](/pricing)"}`.trim(),
      "## Where to start",
      table(["you are", "start here"], ways),
      "## Three commands to paste",
      fenced(
        "sh",
        `export BECKON_API_KEY=…
curl ${siteUrl}/api/v1/projects -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" -d '{"urls":["https://example.com/"]}'
claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## More",
      `- [The docs](/docs), each page also [as Markdown](/docs.md)
- For machines: [OpenAPI](/openapi.json), [Postman](/postman.json), [how agents sign in](/auth.md)
- [All errors, their causes and what to do](/docs/errors)
- [What our fetcher does on your server, and how to block it](/bot)`,
    ),
  };
}

const SANDBOX = `> **This is a sandbox.** No search engine is called, no real money moves, and time may run faster.
> [What happens in a sandbox](/docs/sandbox)`;
