import type { VNode } from "preact";
import listWatches from "../../../../../tools/list-watches.ts";
import watchSitemap from "../../../../../tools/watch-sitemap.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Item, ItemList } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import { FieldOf, typedIn } from "../../shell/form-fields.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { Estimate, type Look, LookFacts, lookAt, proposedFor } from "./proposal.tsx";
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
  /** What the sitemap says of itself; absent: it was not looked at. */
  readonly look?: Look;
}

/** `GET /dashboard/watches`: the watched sitemaps of the account, and the form to watch another one. */
export async function watchesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const url = request.query("url");
  const typed = { ...NEW_WATCH, url };
  await showWatches(services, request, url === "" ? null : { typed, problems: {}, status: 200 });
}

/** `POST /dashboard/watches`: watches a sitemap; with `look`, only reads it, and shows the form with what it proposes. */
export async function addWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (post.field("look") === "yes") return showLook(services, post, typedIn(WATCH_FIELDS, post));
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

async function showLook(services: WebsiteServices, post: SignedInPost, typed: TypedWatch): Promise<void> {
  try {
    const look = await lookAt(services, post, typed.url);
    await showWatches(services, post, { typed: { ...typed, ...proposedFor(look) }, problems: {}, status: 200, look });
  } catch (thrown) {
    const { problems, status } = problemsOf(thrown, typed);
    post.res.set((thrown as Refusal).headers);
    const url = problems.url ?? problems.form ?? "";
    await showWatches(services, post, { typed, problems: { url }, status });
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
        costs more credits than you say. A reading that looks wrong waits for you.
      </p>
      {watches.length > 0 && <h2>Your watches</h2>}
      <ItemList>
        {watches.map((watch) => (
          <WatchItem key={watch.id} watch={watch} />
        ))}
      </ItemList>
      <h2 id="new">Watch a sitemap</h2>
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
  const { typed, problems, look = null } = attempt ?? { typed: NEW_WATCH, problems: {} };
  const isRefused = Object.keys(problems).some((name) => name !== "url");
  const settings = (
    <>
      <WatchFields typed={typed} problems={problems} isNew />
      <Estimate look={look} typed={typed} />
      <Button variant={look ? undefined : "quiet"}>Watch it</Button>
    </>
  );
  return (
    <Form request={request} action={PATHS.watches}>
      {problems.form && <Notice variant="bad">{problems.form}</Notice>}
      <FieldOf fields={WATCH_FIELDS} {...{ name: "url", typed, problems }} />
      <p>
        <Button variant={look ? "quiet small" : undefined} name="look" value="yes">
          {look ? "Look again" : "Look at the sitemap"}
        </Button>
      </p>
      {look && <LookFacts look={look} />}
      {look || isRefused ? (
        settings
      ) : (
        <details>
          <summary>Set it up without looking</summary>
          {settings}
        </details>
      )}
    </Form>
  );
}
