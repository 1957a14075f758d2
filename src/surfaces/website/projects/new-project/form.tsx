import type { ComponentChildren, VNode } from "preact";
import { CHECK_DAYS } from "../../../../platform/check-days.ts";
import { formatCount, formatDollars, formatNumber } from "../../../../platform/format.ts";
import type { Pack } from "../../../../platform/packs.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Button } from "../../components/button.tsx";
import { Choice, TextArea, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { PATHS, REPEATS_PATH } from "../../shell/addresses.ts";
import { script } from "../../shell/assets.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import { BuyLink, useIsSelling } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { SignedInRequest } from "../../shell/page-request.ts";
import { COSTS, costOf, URLS_CHECKED_PER_CREDIT } from "../domain.ts";
import { addHttps, DRIP_DAYS, type Draft, type Kind } from "./draft.ts";
import { HoldOut } from "./hold-out.tsx";
import type { Problem } from "./problems.ts";

interface FormState {
  readonly draft: Draft;
  readonly problem: Problem | null;
  readonly balance: number;
  readonly paid: boolean;
  /** What may be bought here; none where nothing is sold, or not to this person. */
  readonly packs: readonly Pack[];
  /** Where payment pages are, if not on our own site. */
  readonly payAt?: string | undefined;
  readonly message?: VNode | null;
}

/** The form of a new project, filled in with a draft. */
export function formPage(request: SignedInRequest, state: FormState): Page {
  const { problem, paid, balance, packs, payAt, message = null } = state;
  const body = (
    <>
      {message}
      {problem?.field === null && (
        <Notice variant="bad">
          {problem.text} {problem.needsCredits && <BuyLink>Buy credits</BuyLink>}
        </Notice>
      )}
      {!paid && !problem?.needsCredits && <UnpaidNotice />}
      <p>
        You have {formatCount(balance, "credit")}. Credits of URLs that Google has not indexed on day {CHECK_DAYS.final}{" "}
        come back.
      </p>
      <NewProjectForm request={request} {...state} />
      {packs.length > 0 && <BuyForm request={request} />}
    </>
  );
  const page = dashboardPage({ section: "newProject", title: "New project", body });
  return { ...page, forms: payAt === undefined ? [] : [payAt] };
}

/** Says that a payment has arrived, on the page that the payer comes back to. */
export function paidNotice(order: string, credits: number): VNode {
  return (
    <Notice variant="good">
      Thank you: {formatCount(credits, "credit")} added to your balance.{" "}
      <a href={`${PATHS.orders}/${order}`}>See the order</a>
    </Notice>
  );
}

/** What the script sends in place of the project while credits are missing. The page after paying leads back to the list. */
function BuyForm({ request }: { request: SignedInRequest }): VNode {
  return <Form request={request} action={PATHS.buy} hidden={{ kept: "yes" }} id={BUY_FORM} class="buy-pack" />;
}

const BUY_FORM = "buy-pack";

function UnpaidNotice(): VNode {
  return (
    <Notice>
      Indexing and checking need an account that has {useIsSelling() ? "bought" : "been granted"} credits at least once.
      You can count a list and see its price before that. <BuyLink>Buy credits</BuyLink>
    </Notice>
  );
}

/** Credits per so many URLs, which the script of the page multiplies by what it counts. */
const PRICES: Readonly<Record<Kind | "holdout", { readonly credits: number; readonly urls: number }>> = {
  standard: { credits: COSTS.standard, urls: 1 },
  instant: { credits: COSTS.instant, urls: 1 },
  check: { credits: 1, urls: URLS_CHECKED_PER_CREDIT },
  holdout: { credits: costOf("holdout", 1), urls: URLS_CHECKED_PER_CREDIT },
};

const SKIP_HINT = `Each URL is looked up before it is sent. The credits of those that Google has come back at the end, less 1 for each ${URLS_CHECKED_PER_CREDIT} URLs looked up.`;

function NewProjectForm(props: FormState & { request: SignedInRequest }): VNode {
  const { request, draft, problem, balance, paid, packs } = props;
  const problemAt = (field: Problem["field"]) => (problem?.field === field ? problem?.text : null);
  const data = {
    "data-worker": script("count-worker").path,
    "data-repeats": REPEATS_PATH,
    "data-prices": JSON.stringify(PRICES),
    "data-balance": balance,
    "data-unpaid": paid ? null : "",
    "data-buy": BUY_FORM,
    "data-packs": JSON.stringify(packs.map(packOnButton)),
    "data-most": SIZES.urlsPerSubmission,
    "data-fewest-held": SIZES.fewestHeld,
  };
  return (
    <Form
      {...{ request, data }}
      action={PATHS.newProject}
      hidden={{ key: draft.key, agreed: "", seen: "0", kept: "" }}
      class="new-project"
      isMultipart
    >
      <fieldset class="beside">
        <legend>Which URLs</legend>
        <Choice type="radio" name="source" value="list" isTicked={draft.source === "list"}>
          A list or a file
        </Choice>
        <Choice type="radio" name="source" value="sitemap" isTicked={draft.source === "sitemap"}>
          A sitemap
        </Choice>
      </fieldset>
      <div class="from-list">
        <TextArea
          name="urls"
          label="URLs, one per line"
          value={draft.urls}
          problem={problemAt("urls")}
          hint={`At most ${formatNumber(SIZES.urlsPerSubmission)} different ones. Duplicates and lines that are no URL are left out and cost nothing.`}
        />
        <div class="field">
          <label for="file">Or a file</label>
          <input id="file" type="file" name="file" accept=".txt,.csv,.tsv,.xml,text/*" aria-describedby="file-hint" />
          <span class="hint" id="file-hint">
            A text file with one URL per line, a table such as CSV, or a sitemap. Its URLs are added to the ones above.
          </span>
          <p class="file-read" role="status" hidden />
        </div>
      </div>
      <div class="from-sitemap">
        <TextField
          name="sitemap_url"
          label="Address of the sitemap"
          autocomplete="url"
          value={draft.sitemap_url}
          problem={problemAt("sitemap_url")}
          maxLength={SIZES.sitemapUrl}
          isOptional
          hint="A sitemap, an index of sitemaps, an RSS or Atom feed, or a text file; compressed or not."
        />
        <Choice type="checkbox" name="skip_already_submitted" isTicked={draft.skip_already_submitted}>
          Leave out URLs that you have submitted before
        </Choice>
      </div>
      <fieldset>
        <legend>What to do</legend>
        {problemAt("kind") && <span class="problem">{problemAt("kind")}</span>}
        <KindChoice
          kind="standard"
          draft={draft}
          hint={`1 credit per URL. Looked up in Google on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}.`}
        >
          Index
        </KindChoice>
        <KindChoice
          kind="instant"
          draft={draft}
          hint={`${COSTS.instant} credits per URL. First in line at Google, and looked up within the hour as well.`}
        >
          Index at once
        </KindChoice>
        <KindChoice
          kind="check"
          draft={draft}
          hint={`1 credit per ${URLS_CHECKED_PER_CREDIT} URLs. Says whether Google has each URL, and submits nothing.`}
        >
          Only check
        </KindChoice>
      </fieldset>
      <div class="for-indexing">
        <Choice type="checkbox" name="skip_indexed" isTicked={draft.skip_indexed} hint={SKIP_HINT}>
          Leave out URLs that Google has already
        </Choice>
        <fieldset class="beside">
          <legend>Search engines</legend>
          <p class="hint">
            Google always. Bing and Yandex cost nothing more; they take URLs of hosts that are{" "}
            <a href={PATHS.sites}>verified as yours</a>.
          </p>
          <Choice type="checkbox" name="bing" isTicked={draft.bing}>
            Bing
          </Choice>
          <Choice type="checkbox" name="yandex" isTicked={draft.yandex}>
            Yandex
          </Choice>
        </fieldset>
        <fieldset class="beside">
          <legend>Sending</legend>
          <p class="hint">
            At once, or in equal parts over some days. Each URL is looked up {CHECK_DAYS.first} and {CHECK_DAYS.final}{" "}
            days after it was sent.
          </p>
          {DRIP_DAYS.map((days) => (
            <Choice key={days} type="radio" name="drip_days" value={days} isTicked={draft.drip_days === days}>
              {days === "0" ? "At once" : `${days} days`}
            </Choice>
          ))}
        </fieldset>
        <HoldOut draft={draft} problem={problemAt("holdout_percent")} />
      </div>
      <TextField
        name="name"
        label="Name of the project"
        autocomplete="off"
        value={draft.name}
        problem={problemAt("name")}
        maxLength={SIZES.projectName}
        isOptional
        hint="Without one it is named after the host of its first URL and the day."
      />
      <div class="submit">
        <p class="total" role="status" hidden />
        <Button>Count and show the price</Button>
        <button type="submit" name="add_https" value="yes" class="quiet offer" hidden={!problem?.offered}>
          {addHttps(problem?.offered ?? 0)}
        </button>
        <p class="hint">Nothing is spent before you have seen the price.</p>
      </div>
    </Form>
  );
}

/** A pack, and what the button says that buys it. */
function packOnButton(pack: Pack) {
  return { id: pack.id, credits: pack.credits, label: buyLabel(pack) };
}

/** "Buy Pro: 500 credits for $29.99" */
export function buyLabel({ name, credits, amountCents }: Pack): string {
  return `Buy ${name}: ${formatCount(credits, "credit")} for ${formatDollars(amountCents)}`;
}

interface KindChoiceProps {
  readonly kind: Kind;
  readonly draft: Draft;
  readonly hint: string;
  readonly children: ComponentChildren;
}

function KindChoice({ kind, draft, hint, children }: KindChoiceProps): VNode {
  return (
    <Choice type="radio" name="kind" value={kind} isTicked={draft.kind === kind} hint={hint}>
      {children}
    </Choice>
  );
}
