import { CHECK_DAYS } from "../../platform/check-days.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS } from "./key-figures.ts";
import { page, table } from "./markdown.ts";

export function conceptsDocument(): Document {
  return {
    path: "/docs/concepts",
    title: "How indexing works",
    summary:
      "Projects, checks, verdicts, returned credits and drip: what happens to a URL from submission to the final day.",
    section: "Guides",
    markdown: page(
      "# How indexing works",
      "## Projects and links",
      `A project is one submission of up to 10,000 URLs. Each URL is a **link** of the project. A project of the kind \`index\`
sends its URLs to search engines and checks whether Google has indexed them; one of the kind \`check\` only checks. A
project is \`active\` until every link is finally decided, then \`completed\`.`,
      table(
        ["status of a link", "meaning"],
        [
          ["`waiting`", "it was not sent yet: it is in the queue, or drip schedules it for later"],
          ["`checking`", "it was sent to Google and is not decided yet"],
          ["`indexed`", "a check found it in Google"],
          ["`not_indexed`", `Google had not indexed it on day ${CHECK_DAYS.final}; its credits were returned`],
          ["`failed`", "it was refused or cancelled before it was sent; its credits were returned"],
        ],
      ),
      `Only Google decides the status. URLs are sent to Bing and Yandex too; their answers are in \`engines\` and never delay a
link. Both accept only pages of sites that the account has [verified](/docs/operations/add_site). For other pages they
are \`skipped\`, with \`host_not_verified\`.`,
      "## URLs",
      `A URL begins with \`http://\` or \`https://\`. Two URLs are duplicates if they are equal after normalisation: scheme and
host in lower case, no default port, no fragment, dot segments resolved, percent-encoding in one form. The case of the
path, a trailing slash, \`www\`, http or https, and the query make a difference. The first of several duplicates is kept;
the others cost nothing.`,
      "## Modes",
      `**Standard** costs ${CREDIT_COSTS.standard} credit per URL, **instant** ${CREDIT_COSTS.instant}. Instant URLs are sent before others, through a faster service if
the deployment has one, and are also checked after 10, 25 and 45 minutes. Neither mode can force Google to index a page.`,
      "## When links are checked",
      `Every link is checked on day ${CHECK_DAYS.first} and on day ${CHECK_DAYS.final} after it was sent (\`sent_at\`). If Google has not indexed it on day
${CHECK_DAYS.first}, it is sent once more. Day ${CHECK_DAYS.final} is final: every link is checked again, also those that were found before.
\`next_check_at\` of a link is the time of its next check.`,
      "## Verdicts",
      `A check has one of three results. **indexed** needs evidence that Google has the page. **not_indexed** needs two clean
negative results, at least half an hour apart. Everything else, such as a provider that does not answer or that does not
find pages known to be indexed, is **unknown**: the check is repeated, and you are not charged for it. If the result is
still unknown after day ${CHECK_DAYS.final}, the credits are returned, with the code \`unverifiable\`.
[\`get_link\`](/docs/operations/get_link) shows all checks of a link. \`error_code\` and \`error_message\` of a link say why it
failed or is not indexed: [all codes](/docs/codes).`,
      `The credits of a URL that was indexed but is not any more on day ${CHECK_DAYS.final} are returned too, unless the page itself prevents
indexing by then: it is gone, has noindex, or is blocked by robots.txt.`,
      "## Returned credits",
      `Credits are returned once and in full, at the moment when a link becomes \`not_indexed\` or \`failed\`. Every change of the
balance is an entry of [the ledger](/docs/operations/list_ledger), and the balance is the sum of all entries. What comes
back has an entry for each cause, with its project and its number of URLs.`,
      "## Leaving out what Google has",
      `With \`skip_indexed\`, each URL is looked up in Google before it is sent. One that Google has is sent to no engine: it is
\`failed\`, with the code \`already_indexed\`. The price at submission is the same. When the project is completed, the credits of
these URLs come back in one entry of the ledger, less 1 credit for each ${CREDIT_COSTS.checked} URLs that were looked up, and never less than
nothing; \`credits_returned\` of such a link is null. A URL for which no lookup gives a reliable answer is sent after two days, an
instant one at once.`,
      "## Drip",
      `\`drip_days\` spreads sending evenly over 3, 7, 14 or 30 days, in steps of at least an hour. Day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final} of each URL
are counted from when that URL was sent. URLs that were not sent yet can be
[cancelled](/docs/operations/cancel_links).`,
      "## Projects that only check",
      `A project of the kind \`check\` checks each URL once, as soon as possible, for 1 credit per ${CREDIT_COSTS.checked} URLs. "Not indexed" is
an answer, and returns nothing. A URL that could not be checked within 48 hours is \`failed\`, and its credits are
returned.`,
    ),
  };
}
