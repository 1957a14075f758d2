import { CHECK_DAYS } from "../../platform/check-days.ts";

/** The server instructions, which a model reads once per connection; at most 1,000 characters. */
export function instructionsOf(isOffered: (tool: string) => boolean): string {
  const credits = BUYING.filter(([tool]) => isOffered(tool)).map(([, text]) => text);
  return `Beckon submits web pages to Google, Bing and Yandex, checks whether Google has indexed them, and returns the credits of those it has not.

1. estimate_cost: what a list costs and whether the balance is enough.
2. submit_urls, or submit_sitemap (read_sitemap previews it): spends credits and creates a project. Send an idempotency_key and repeat it when you retry. check_urls only checks URLs.
3. get_project: the counts. list_links: each URL. get_link: the evidence.
4. ${credits.join(" ") || "Credits are not sold here: whoever runs the service grants them (buy_url of get_pricing)."}

add_site verifies that a host is the user's; Bing and Yandex accept only pages of such hosts. Google is checked on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final} after sending, instant projects within the hour too. Do not poll: come back on those days. Credits of URLs not indexed on day ${CHECK_DAYS.final} are returned. cancel_links cancels unsent URLs.

A refusal is JSON with code, message and docs; nothing was spent.`;
}

const BUYING = [
  ["buy_credits", "buy_credits: a link where the user pays by card; get_order tells when it is paid."],
  ["pay_direct", "pay_direct: you pay from your own wallet (x402)."],
] as const;
