import { presentLink } from "../../../contract/shapes/link.ts";
import type { LinkRecord } from "../../../domain/projects/read.ts";
import { type Html, html } from "../html.ts";
import { relativeTime, timeElement } from "./dates.ts";
import { STATUS_LABELS } from "./status-counts.ts";
import { table } from "./table.ts";

/** @param now service time, as all times of links are */
export function linkTable(records: readonly LinkRecord[], now: number): Html {
  const heads = ["URL", "Status", "Sent", "Last check", "Next check"];
  return table(
    "URLs",
    heads,
    records.map((record) => rowOf(presentLink(record), now)),
  );
}

function rowOf(link: ReturnType<typeof presentLink>, now: number): Html[] {
  const why = link.error_message
    ? html`<br>
<span class="soft">${link.error_message}</span>`
    : "";
  const next = link.next_check_at;
  return [
    html`<div class="url">${address(link.url)}${why}</div>`,
    html`${STATUS_LABELS[link.status]}`,
    sent(link),
    timeElement(link.checked_at),
    next === null
      ? timeElement(null)
      : html`${timeElement(next)}<br>
<span class="soft">${soon(Date.parse(next), now)}</span>`,
  ];
}

/** When the URL was sent, or will be. URLs of checks are never sent. */
function sent({ credits, status, scheduled_at, sent_at }: ReturnType<typeof presentLink>): Html {
  const isPlanned = credits !== null && status === "waiting";
  return isPlanned ? html`<span class="soft">planned</span> ${timeElement(scheduled_at)}` : timeElement(sent_at);
}

/** The URL, which others chose, as a link if it leads to the web; its server does not learn where the link was. */
function address(url: string): Html {
  return /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer nofollow">${url}</a>` : html`${url}`;
}

function soon(at: number, now: number): string {
  return at <= now ? "due now" : relativeTime(at, now);
}
