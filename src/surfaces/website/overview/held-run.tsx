import type { VNode } from "preact";
import getWatch from "../../../../tools/get-watch.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { fromOverview } from "../shell/came-from.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Prices, pricesOf } from "../sites/domain.ts";
import { holdWords, type Run, type Watch } from "../sites/watches/watch-words.ts";
import { InboxItem } from "./inbox-item.tsx";

/** A watch that waits for somebody, with the run that is held and what going on costs. */
export interface HeldRun {
  readonly watch: Watch;
  readonly run: Run | undefined;
  readonly release: Prices["release"];
}

export async function heldRunOf(services: WebsiteServices, request: SignedInRequest, id: string): Promise<HeldRun> {
  const { watch, runs } = await readOperation(services, request, getWatch, { watch_id: id });
  const { release } = await pricesOf(services, request, { id, last: runs[0] });
  return { watch, run: runs[0], release };
}

export function HeldRunItem({ request, watch, run, release }: HeldRun & { readonly request: SignedInRequest }): VNode {
  const path = `${PATHS.watches}/${watch.id}`;
  const price = !release?.credits ? "for no credits" : `for at most ${formatCount(release.credits, "credit")}`;
  return (
    <InboxItem
      tone="warn"
      kind="Held run"
      title={
        <a href={path}>
          <UrlText url={watch.sitemap_url} />
        </a>
      }
      action={
        release && (
          <Form
            request={request}
            action={`${path}/run`}
            hidden={{ ...fromOverview(), release: "yes", agreed: String(release.credits), held: release.held }}
          >
            <Button variant="quiet small">{`Continue ${price}`}</Button>
          </Form>
        )
      }
    >
      {run &&
        `${formatNumber(run.new)} new, ${formatNumber(run.changed)} changed and ${formatNumber(run.removed)} removed of ${formatCount(watch.pages, "known page")}. `}
      {holdWords(watch.reason)}
    </InboxItem>
  );
}
