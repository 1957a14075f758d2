import type { Document } from "./document.ts";
import { CREDIT_COSTS, FINAL_DAY, FIRST_DAY } from "./key-figures.ts";
import { page, table } from "./markdown.ts";

export function conceptsDocument(): Document {
  return {
    path: "/docs/concepts",
    title: "How a link lives",
    summary: "Projects, looks, verdicts, returns and drip: what happens to a URL from submission to the last day.",
    section: "Guides",
    markdown: page(
      "# How a link lives",
      "## Projects and links",
      `A project is one submission: up to 10,000 URLs, each of which is a **link** of it. A project of the kind \`index\` sends
its URLs to search engines and looks whether they came in; one of the kind \`check\` only looks. It is \`active\` until
every link is finally decided, then \`completed\`.`,
      table(
        ["a link is", "when"],
        [
          ["`waiting`", "it was not sent yet: its turn has not come, or drip holds it back"],
          ["`checking`", "it was sent to Google and is not decided"],
          ["`indexed`", "a look found it in Google"],
          ["`not_indexed`", `Google does not have it on day ${FINAL_DAY}; its credits were given back`],
          ["`failed`", "it was refused or cancelled before it was sent; its credits were given back"],
        ],
      ),
      `Google alone decides the status. Bing and Yandex run beside it: what they answered stands in \`engines\`, and never
holds a link up. They take pages only of sites the account has [verified](/docs/operations/add_site); of others they
are \`skipped\`, with \`host_not_verified\`.`,
      "## URLs",
      `A URL begins with \`http://\` or \`https://\`. Two are the same page when they agree after this: scheme and host in lower
case, no default port, no fragment, dot segments resolved, percent-encoding brought to one form. Path case, a trailing
slash, \`www\`, http or https, and the query stay significant. The first of several wins; the others are counted as
duplicates, and cost nothing.`,
      "## Modes",
      `**Standard** costs ${CREDIT_COSTS.standard} credit a URL, **instant** ${CREDIT_COSTS.instant}. Instant URLs are sent ahead of others, by a faster service where the
deployment has one, and are looked for after 10, 25 and 45 minutes. Neither can make Google do anything.`,
      "## Looks",
      `Counted from the moment the URL was sent (\`sent_at\`), Google is asked on day ${FIRST_DAY} and on day ${FINAL_DAY}. What is not there on
day ${FIRST_DAY} is sent once more. Day ${FINAL_DAY} is final, and looks at every URL again, also at those found before.
\`next_check_at\` of a link says when it is looked for next.`,
      "## Verdicts",
      `A look has three answers. **indexed** needs evidence that the page is there. **not_indexed** needs two clean negatives
at least half an hour apart. Anything else, such as a provider that does not answer or whose known pages are not found,
is **unknown**: it is asked again, and is never held against you. What cannot be found out even after day ${FINAL_DAY} is given
back with the code \`unverifiable\`. [\`get_link\`](/docs/operations/get_link) shows every look that was made.`,
      `A URL that was indexed and is gone on day ${FINAL_DAY} is given back too, unless the page itself refuses to be indexed by then
(it is gone, or says noindex, or robots.txt forbids it).`,
      "## Returns",
      `Credits come back in full and once, in the moment a link becomes \`not_indexed\` or \`failed\`. Every movement stands in
[the ledger](/docs/operations/list_ledger), and the balance is its sum.`,
      "## Drip",
      `\`drip_days\` spreads sending evenly over 3, 7, 14 or 30 days, in steps of at least an hour. Each URL has its own day ${FIRST_DAY} and
day ${FINAL_DAY}, counted from when it was sent. What was not sent can be
[cancelled](/docs/operations/cancel_links).`,
      "## Checks",
      `A check looks each URL up as soon as possible, at 1 credit for ${CREDIT_COSTS.checked} URLs. "Not indexed" is an answer, and gives
nothing back; what could not be looked up within 48 hours is \`failed\`, and is.`,
    ),
  };
}
