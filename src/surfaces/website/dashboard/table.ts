import { SIZES } from "../../../platform/limits.ts";
import { type Html, html } from "../html.ts";
import type { PageRequest } from "../page-request.ts";

/** A table that scrolls on its own where it is wider than the page, also by keyboard. */
export function table(label: string, heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  const head = heads.map((text) => html`<th scope="col">${text}</th>\n`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>\n`)}</tr>\n`);
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

/** The page of a list that the query parameter `page` asks for, counted from 1; anything else is the first page. */
export function requestedPage(
  request: Pick<PageRequest, "query">,
  size: number,
): { number: number; limit: number; offset: number } {
  const text = request.query("page");
  const lastPage = Math.floor(SIZES.pageOffset / size) + 1;
  const number = /^[1-9]\d{0,5}$/.test(text) ? Math.min(Number(text), lastPage) : 1;
  return { number, limit: size, offset: (number - 1) * size };
}

/** Links to the previous and the next page; nothing if there is only one page. */
export function pagination(
  path: string,
  query: Readonly<Record<string, string>>,
  number: number,
  hasMore: boolean,
): Html {
  if (number === 1 && !hasMore) return html``;
  const to = (page: number) => `${path}?${new URLSearchParams({ ...query, page: String(page) })}`;
  return html`<nav class="row" aria-label="Pages of this list">
${number > 1 ? html`<a href="${to(number - 1)}" rel="prev">Previous page</a>` : ""}
<span class="soft">Page ${number}</span>
${hasMore ? html`<a href="${to(number + 1)}" rel="next">Next page</a>` : ""}</nav>`;
}
