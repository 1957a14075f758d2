import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { PATHS } from "../../shell/addresses.ts";
import type { SignedInRequest } from "../../shell/page-request.ts";
import type { Prices } from "../domain.ts";
import { holdWords, type Run, type Watch } from "./watch-words.ts";

export function pathOf(id: string): string {
  return `${PATHS.watches}/${id}`;
}

/** What a button says of its price. */
function forAtMost(credits: number): string {
  return credits === 0 ? "for no credits" : `for at most ${formatCount(credits, "credit")}`;
}

/** The fields that hold a button to what it says. */
function agreedTo({ credits, held = "" }: { readonly credits: number; readonly held?: string }) {
  return { agreed: String(credits), held };
}

interface HoldProps {
  readonly request: SignedInRequest;
  readonly watch: Watch;
  readonly run: Run | undefined;
  readonly prices: Prices;
}

/** What holds a watch, what would happen, and the one button that lets it go on. */
export function Hold({ request, watch, run, prices: { release } }: HoldProps): VNode | null {
  const words = holdWords(watch.reason);
  if (words === null) return null;
  if (!release || !run) return <Notice>{words}</Notice>;
  return (
    <>
      <Notice>
        This watch waits for you. {words} The last run found {formatNumber(run.new)} new, {formatNumber(run.changed)}{" "}
        changed and {formatNumber(run.removed)} removed of {formatCount(watch.pages, "known page")}. Nothing was done.
        If the sitemap soon looks as before, it continues by itself.
      </Notice>
      <p>{costOfGoingOn(watch, release)}</p>
      <Form request={request} action={`${pathOf(watch.id)}/run`} hidden={{ release: "yes", ...agreedTo(release) }}>
        <Button>{`This is right: continue ${forAtMost(release.credits)}`}</Button>
      </Form>
    </>
  );
}

/** What going on costs now and this month, before its button. */
function costOfGoingOn(
  { spent_this_month: spent, credits_per_month: most }: Watch,
  { credits, month }: NonNullable<Prices["release"]>,
): string {
  const later =
    month > credits ? `, and with the runs that follow at most ${formatCount(month, "credit")} this month` : "";
  const ofMonth = `${formatNumber(spent)} of ${formatCount(most, "credit")} of this month are spent.`;
  if (month === 0) return `Continuing costs nothing. ${ofMonth}`;
  return `Continuing costs at most ${formatCount(credits, "credit")} now${later}. ${ofMonth}`;
}

export function Actions({ request, watch, prices }: Omit<HoldProps, "run">): VNode {
  const path = pathOf(watch.id);
  const isRunning = watch.status === "active" || watch.status === "held";
  return (
    <>
      <div class="row">
        {isRunning && (
          <Form request={request} action={`${path}/run`} hidden={agreedTo({ credits: prices.run })}>
            <Button variant="quiet small">{`Read it now, ${forAtMost(prices.run)}`}</Button>
          </Form>
        )}
        {watch.status !== "stopped" && (
          <Form request={request} action={path} hidden={{ dry: "yes" }}>
            <Button variant="quiet small">Dry run</Button>
          </Form>
        )}
        <Form request={request} action={`${path}/status`} hidden={{ status: isRunning ? "paused" : "active" }}>
          <Button variant="quiet small">{isRunning ? "Pause" : "Make it active"}</Button>
        </Form>
      </div>
      {watch.status !== "stopped" && (
        <ConfirmedAction
          request={request}
          label="Stop"
          warning="It is no longer read, and its pages are forgotten. Made active again, it starts from the beginning."
          action={`${path}/status`}
          hidden={{ status: "stopped" }}
          button="Stop this watch"
        />
      )}
    </>
  );
}
