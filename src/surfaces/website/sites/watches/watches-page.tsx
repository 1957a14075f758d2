import type { VNode } from "preact";
import listWatches from "../../../../../tools/list-watches.ts";
import watchSitemap from "../../../../../tools/watch-sitemap.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { SIZES } from "../../../../platform/limits.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Item, ItemList } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import { typedIn } from "../../shell/form-fields.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import {
  NEW_WATCH,
  type Problems,
  problemsOf,
  settingsIn,
  type TypedWatch,
  WATCH_FIELDS,
  WatchFields,
} from "./watch-form.tsx";
import { INTERVAL_WORDS, STATUS_WORDS, type Watch } from "./watch-words.ts";

/** What somebody typed, and why it was refused. */
interface Attempt {
  readonly typed: TypedWatch;
  readonly problems: Problems;
  readonly status: number;
}

/** `GET /dashboard/watches`: the watched sitemaps of the account, and the form to watch another one. */
export async function watchesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showWatches(services, request, null);
}

/** `POST /dashboard/watches` */
export async function addWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmByFactor(post, { formPage: PATHS.watches })) return;
  const typed = typedIn(WATCH_FIELDS, post);
  const input = { sitemap_url: typed.url, first_run: typed.first, ...settingsIn(typed) };
  try {
    const { watch } = await callOperation(services, post, watchSitemap, input);
    post.redirect(`${PATHS.watches}/${watch.id}?done=made`);
  } catch (thrown) {
    if (thrown instanceof Refusal) post.res.set(thrown.headers);
    await showWatches(services, post, { typed, ...problemsOf(thrown, typed) });
  }
}

async function showWatches(
  services: WebsiteServices,
  request: SignedInRequest,
  attempt: Attempt | null,
): Promise<void> {
  const { watches } = await callOperation(services, request, listWatches, { limit: SIZES.pageLimit });
  const body = (
    <>
      <p>
        A watched sitemap is read again and again: new pages are submitted, changed ones announced, and a month never
        costs more credits than you say. A reading that makes no sense waits for you.
      </p>
      {watches.length > 0 && <h2>Your watches</h2>}
      <ItemList>
        {watches.map((watch) => (
          <WatchItem key={watch.id} watch={watch} />
        ))}
      </ItemList>
      <h2>Watch a sitemap</h2>
      <AddForm request={request} attempt={attempt} />
    </>
  );
  request.show(dashboardPage({ section: "watches", title: "Watches", body }), attempt?.status);
}

function WatchItem({ watch }: { watch: Watch }): VNode {
  const { id, sitemap_url: url, status, pages, waiting, next_run_at: next, spent_this_month: spent } = watch;
  return (
    <Item
      title={<a href={`${PATHS.watches}/${id}`}>{url}</a>}
      facts={[
        <>
          {STATUS_WORDS[status]}, {INTERVAL_WORDS[watch.every]}
        </>,
        `${formatCount(pages, "page")}${waiting > 0 ? `, ${formatNumber(waiting)} waiting` : ""}`,
        `${formatNumber(spent)} of ${formatCount(watch.credits_per_month, "credit")} this month`,
        ...(next === null
          ? []
          : [
              <>
                Next run <Time at={next} />
              </>,
            ]),
      ]}
    />
  );
}

function AddForm({ request, attempt }: { request: SignedInRequest; attempt: Attempt | null }): VNode {
  const { typed, problems } = attempt ?? { typed: NEW_WATCH, problems: {} };
  return (
    <Form request={request} action={PATHS.watches}>
      {problems.form && <Notice variant="bad">{problems.form}</Notice>}
      <WatchFields typed={typed} problems={problems} isNew />
      <Button>Watch it</Button>
    </Form>
  );
}
