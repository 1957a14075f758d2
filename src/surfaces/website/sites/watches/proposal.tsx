import type { VNode } from "preact";
import readSitemap from "../../../../../tools/read-sitemap.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { readOperation } from "../../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import type { TypedWatch } from "./watch-form.tsx";

/** What a sitemap says of itself: its size, and how often its pages change. */
export type Look = Pick<AnswerOf<typeof readSitemap>, "urls_remaining" | "truncated" | "modified" | "warnings">;

/** Reads a sitemap for the form that watches it. Nothing is spent. @throws Refusal */
export function lookAt(services: WebsiteServices, request: SignedInRequest, url: string): Promise<Look> {
  return readOperation(services, request, readSitemap, { sitemap_url: url, limit: 0 });
}

/** Pages that a month brings, by the dates in the sitemap; null: it has none. */
function monthOf({ modified }: Look): number | null {
  return modified.dated === 0 ? null : modified.last_30_days;
}

/** Credits are proposed in steps of so many. */
const STEP = 50;
/** Changes within a day from which on a sitemap is read every hour. */
const OFTEN = 5;

/** What the form proposes for a sitemap: an interval in which it changes, and half as many credits again as a month may need. */
export function proposedFor(look: Look): Pick<TypedWatch, "every" | "credits"> {
  const { dated, last_day, last_week } = look.modified;
  const every = last_day >= OFTEN ? "hour" : dated === 0 || last_week > 0 ? "day" : "week";
  const needed = monthOf(look) ?? look.urls_remaining / 10;
  return { every, credits: String(Math.max(STEP, Math.ceil((1.5 * needed) / STEP) * STEP)) };
}

/** Its size and its changes, in a sentence. */
export function LookFacts({ look }: { look: Look }): VNode {
  const { urls_remaining: pages, truncated, modified, warnings } = look;
  const { dated, last_day, last_30_days } = modified;
  return (
    <>
      <p>
        The sitemap lists <strong>{formatCount(pages, "page")}</strong>
        {truncated && pages === 0 && " or more"}.{" "}
        {dated === 0
          ? "It does not say when they changed."
          : `${formatNumber(last_30_days)} are new or changed within 30 days, ${formatNumber(last_day)} within a day.`}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="soft">
          {warning}
        </p>
      ))}
    </>
  );
}

/** What a month is estimated to cost, next to the button. @param look null: the sitemap was not looked at */
export function Estimate({ look, typed }: { look: Look | null; typed: TypedWatch }): VNode {
  const month = look && monthOf(look);
  const most = /^\d+$/.test(typed.credits)
    ? `, and never more than ${formatCount(Number(typed.credits), "credit")}`
    : "";
  if (month === null)
    return (
      <p class="soft">
        {look
          ? "Without dates, a month can be estimated only after two weeks of runs"
          : "Look at the sitemap to see what a month may cost"}
        . It never costs more than you allow.
      </p>
    );
  return (
    <p>
      A month costs about <strong>{formatCount(month, "credit")}</strong> by these dates{most}. The pages that it lists
      now cost nothing.
    </p>
  );
}
