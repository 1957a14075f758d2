import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS, FINAL_DAY, FIRST_DAY } from "./key-figures.ts";
import { fenced, page, table } from "./markdown.ts";
import { packTable } from "./pricing.ts";
import { TIMELINE_ALT, TIMELINE_PATH } from "./timeline.ts";

/** The front page: what it does, what is promised, and where each kind of reader begins. */
export function homeDocument(config: Config): Document {
  const { siteUrl, mode, direct, cards } = config;
  const ways = [
    ["a person", "[Sign up](/sign-up), buy a pack and make a key in the [dashboard](/dashboard)"],
    ["Claude or another MCP host", `Connect \`${siteUrl}/mcp\`: [one line, or a few clicks](/docs/quickstart/claude)`],
    ["a program", "REST with an API key: [curl](/docs/quickstart/curl), [JavaScript](/docs/quickstart/javascript)"],
    ["an A2A agent", `Send a message to \`${siteUrl}/a2a\`: [how](/docs/quickstart/a2a)`],
    ["an agent without a key", "Your person's e-mail address is enough: [/auth.md](/auth.md)"],
    ...(direct ? [["an agent with a wallet", "Buy credits by x402: [how](/docs/quickstart/wallet)"]] : []),
  ];
  return {
    path: "/",
    title: "Beckon: get pages into search engines, and know whether they are there",
    summary: "What Beckon does, what it promises and what it cannot, what it costs, and where to begin.",
    markdown: page(
      "# Get your pages into Google, Bing and Yandex, and know whether they are there",
      `Beckon submits URLs for indexing, looks in Google on day ${FIRST_DAY} and day ${FINAL_DAY} whether they came in, and
gives back the credits of those that did not. People use it in a dashboard, programs over REST, and agents over MCP
and A2A; all doors offer the same operations.`,
      "**[Sign up](/sign-up)** **[Read the docs](/docs)**",
      mode === "sandbox" ? SANDBOX : "",
      "## What is promised, and what is not",
      `- **Credits come back by themselves** for every URL that Google does not have on day ${FINAL_DAY}, and for every URL
  that was never sent. In both modes, in full. Where nobody could find out, you are not charged either.
- **You see the evidence**: who took the URL and when, and what each look found.
- **Nobody can make Google index a page.** Whether and when a page comes in, Google decides. Beckon asks, looks, and
  tells you.
- **Instant** (${CREDIT_COSTS.instant} credits instead of ${CREDIT_COSTS.standard}) means first in line: sent ahead of standard projects, by a faster service
  where there is one, and looked for within the hour. A few minutes are possible, and not promised.
- **Bing and Yandex** take pages only of sites that you have [shown to be yours](/docs/operations/add_site). For others
  Beckon says so and does not pretend.`,
      `![${TIMELINE_ALT}](${TIMELINE_PATH})`,
      "## What it costs",
      packTable(config),
      `Standard indexing is ${CREDIT_COSTS.standard} credit a URL, instant ${CREDIT_COSTS.instant}; a look-up without sending is 1 credit for ${CREDIT_COSTS.checked} URLs. Credits do not
expire. ${cards === "none" && !direct ? "" : "[More about prices](/pricing)"}`.trim(),
      "## Where to begin",
      table(["you are", "begin here"], ways),
      "## Three lines to paste",
      fenced(
        "sh",
        `export BECKON_API_KEY=…
curl ${siteUrl}/api/v1/projects -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" -d '{"urls":["https://example.com/"]}'
claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## More",
      `- [The docs](/docs), each page also [as Markdown](/docs.md)
- For machines: [OpenAPI](/openapi.json), [Postman](/postman.json), [how agents sign in](/auth.md)
- [Every error, its cause and what to do](/docs/errors)
- [What our fetcher does on your server, and how to keep it away](/bot)`,
    ),
  };
}

const SANDBOX = `> **This is a sandbox.** No search engine is called and no real money moves; time may run faster than it does.
> [What happens in it](/docs/sandbox)`;
