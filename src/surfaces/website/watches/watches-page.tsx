import type { VNode } from "preact";
import listWatches from "../../../../tools/list-watches.ts";
import watchSitemap from "../../../../tools/watch-sitemap.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/limits.ts";
import { callOperation } from "../call-operation.ts";
import { Button } from "../components/button.tsx";
import { Choice, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import { dashboardPage } from "../dashboard/dashboard-page.tsx";
import { PATHS } from "../dashboard/paths.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { CHANGED_WORDS, INTERVAL_WORDS, NEW_WORDS, STATUS_WORDS, type Watch } from "./watch-words.ts";

/** What somebody typed, and why it was refused. */
interface Attempt {
  readonly url: string;
  readonly credits: string;
  readonly problem: string;
  readonly status: number;
}

/** `GET /dashboard/watches`: the watched sitemaps of the account, and the form to watch another one. */
export async function watchesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showWatches(services, request, null);
}

/** `POST /dashboard/watches` */
export async function addWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const url = post.field("url").trim();
  const credits = post.field("credits").trim();
  const input = {
    sitemap_url: url,
    every: oneOf(post.field("every"), INTERVAL_WORDS, "day"),
    new_pages: oneOf(post.field("new"), NEW_WORDS, "submit"),
    changed_pages: oneOf(post.field("changed"), CHANGED_WORDS, "notify"),
    first_run: post.field("first") === "submit" ? ("submit" as const) : ("baseline" as const),
    credits_per_month: /^\d{1,8}$/.test(credits) ? Number(credits) : -1,
  };
  try {
    const { watch } = await callOperation(services, post, watchSitemap, input);
    post.redirect(`${PATHS.watches}/${watch.id}?done=made`);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    post.res.set(thrown.headers);
    const { issues } = thrown.fields as { issues?: readonly { path: string; message: string }[] };
    const isUrl = issues?.some(({ path, message }) => path === "sitemap_url" && message !== "too many watches");
    const isCredits = issues?.some(({ path }) => path === "credits_per_month");
    const problem = isUrl ? NO_URL : isCredits ? NO_CREDITS : thrown.message;
    await showWatches(services, post, { url, credits, problem, status: thrown.status });
  }
}

const NO_URL = "Give the address of a sitemap, which begins with https://.";
const NO_CREDITS = "Give a whole number of credits a month.";

function oneOf<Word extends string>(given: string, words: Readonly<Record<Word, string>>, preset: Word): Word {
  return Object.hasOwn(words, given) ? (given as Word) : preset;
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
  const isAboutCredits = attempt?.problem === NO_CREDITS;
  return (
    <Form request={request} action={PATHS.watches}>
      <TextField
        name="url"
        label="Address of the sitemap"
        type="url"
        autocomplete="off"
        value={attempt?.url}
        problem={isAboutCredits ? null : attempt?.problem}
        maxLength={SIZES.sitemapUrl}
        hint="For example https://example.com/sitemap.xml"
      />
      <TextField
        name="credits"
        label="Credits a month, at most"
        type="number"
        autocomplete="off"
        value={attempt?.credits ?? "1000"}
        problem={isAboutCredits ? attempt?.problem : null}
        maxLength={8}
      />
      <Choices legend="Read it" name="every" words={INTERVAL_WORDS} preset="day" />
      <Choices legend="New pages are" name="new" words={NEW_WORDS} preset="submit" />
      <Choices legend="Changed pages are" name="changed" words={CHANGED_WORDS} preset="notify" />
      <Choices
        legend="The pages that it lists now"
        name="first"
        words={{ baseline: "count as known: only later ones are new", submit: "are all new, and submitted" }}
        preset="baseline"
      />
      <Button>Watch it</Button>
    </Form>
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly name: string;
  readonly words: Readonly<Record<string, string>>;
  readonly preset: string;
}

function Choices({ legend, name, words, preset }: ChoicesProps): VNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.entries(words).map(([value, text]) => (
        <Choice key={value} type="radio" name={name} value={value} isTicked={value === preset}>
          {text}
        </Choice>
      ))}
    </fieldset>
  );
}
