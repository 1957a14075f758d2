import type { VNode } from "preact";
import getWatch from "../../../../../tools/get-watch.ts";
import runWatch from "../../../../../tools/run-watch.ts";
import watchSitemap from "../../../../../tools/watch-sitemap.ts";
import { isAboveAgreed } from "../../../../contract/spending-refusal.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { StateBar } from "../../components/state-bar.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { cameFrom } from "../../shell/came-from.ts";
import { dashboardPage, doneMessage } from "../../shell/dashboard-page.tsx";
import { typedIn } from "../../shell/form-fields.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { pricesOf } from "../domain.ts";
import { DryRun, type DryRunResult } from "./dry-run.tsx";
import { Hook } from "./hook.tsx";
import { Actions, Hold, pathOf } from "./watch-actions.tsx";
import {
  type Problems,
  problemsOf,
  settingsIn,
  type TypedWatch,
  typedOf,
  WATCH_FIELDS,
  WatchFields,
} from "./watch-form.tsx";
import {
  CHANGED_WORDS,
  INTERVAL_WORDS,
  NEW_WORDS,
  RECHECK_WORDS,
  REMOVED_WORDS,
  type Run,
  reasonWords,
  STATUS_WORDS,
  type Watch,
} from "./watch-words.ts";

/** What was refused, and why. */
interface Attempt {
  /** Null: it was not about the settings. */
  readonly typed: TypedWatch | null;
  readonly problems: Problems;
  readonly status: number;
}

/** `GET /dashboard/watches/:id`: one watched sitemap, its month, its runs, what holds it, and its settings. */
export async function watchPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showWatch(services, request, null);
}

/** `POST /dashboard/watches/:id`: changes its settings; with `dry`, tells what a run would do, at an address that can be opened again. */
export async function changeWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  if (post.field("dry") === "yes") {
    const { run } = await callOperation(services, post, runWatch, { watch_id: id, dry_run: true });
    return showWatch(services, post, null, run);
  }
  if (!confirmByFactor(post, { formPage: pathOf(id) })) return;
  const typed = typedIn(WATCH_FIELDS, post);
  try {
    await callOperation(services, post, watchSitemap, { watch_id: id, ...settingsIn(typed) });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === "not_found") throw thrown;
    if (thrown instanceof Refusal) post.res.set(thrown.headers);
    return showWatch(services, post, { typed, ...problemsOf(thrown, typed) });
  }
  post.redirect(`${pathOf(id)}?done=saved`);
}

/** @param dryRun what was just tried */
async function showWatch(
  services: WebsiteServices,
  request: SignedInRequest,
  attempt: Attempt | null,
  dryRun: DryRunResult | null = null,
): Promise<void> {
  const { watch, runs } = await callOperation(services, request, getWatch, { watch_id: request.param("id") });
  const prices = await pricesOf(services, request, { id: watch.id, last: runs[0] });
  const body = (
    <>
      <p>
        <a href={PATHS.watches}>All watches</a>
      </p>
      <Hold request={request} watch={watch} run={runs[0]} prices={prices} />
      <About watch={watch} />
      <Month watch={watch} />
      <Actions request={request} watch={watch} prices={prices} />
      {dryRun && <DryRun watch={watch} run={dryRun} />}
      <h2>Last runs</h2>
      {runs.length === 0 ? <p>The first run starts now.</p> : <Runs runs={runs} />}
      {watch.status !== "stopped" && <Hook request={request} watch={watch} />}
      {watch.status !== "stopped" && <Settings request={request} watch={watch} attempt={attempt} />}
    </>
  );
  const message = attempt?.problems.form ? (
    <Notice variant="bad">{attempt.problems.form}</Notice>
  ) : (
    doneMessage(request, DONE)
  );
  request.show(dashboardPage({ section: "watches", title: "Watch", message, body }), attempt?.status);
}

const DONE = {
  made: "The sitemap is watched. Its first run starts now.",
  saved: "The settings are saved. They hold from the next run on.",
  ran: "The sitemap was read.",
  released: "The watch continues.",
  changed: "The sitemap was not as this page had shown it. Nothing was done: look at what it lists now.",
  active: "The watch is active.",
  paused: "The watch is paused.",
  stopped: "The watch is stopped.",
  unhooked: "The publish hook is removed.",
};

/**
 * `POST /dashboard/watches/:id/run`: runs it now, for at most what its button says; with `release`, what has held it is accepted,
 * if the sitemap is still as the page showed it.
 */
export async function runWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  const release = post.field("release") === "yes";
  const formPage = cameFrom(post, pathOf(id));
  if (release && !confirmByFactor(post, { formPage })) return;
  const price = post.field("agreed");
  const agreed = { credits: /^\d{1,9}$/.test(price) ? Number(price) : 0, held: post.field("held") };
  try {
    const { run } = await callOperation(services, post, runWatch, { watch_id: id, release }, { agreed });
    const isStillHeld = release && run.result === "held";
    post.redirect(`${formPage}?done=${isStillHeld ? "changed" : release ? "released" : "ran"}`);
  } catch (thrown) {
    if (!isAboveAgreed(thrown)) throw thrown;
    const form = "It costs more by now than the button said. Nothing was done and nothing was spent: the price is new.";
    await showWatch(services, post, { typed: null, problems: { form }, status: 409 });
  }
}

/** `POST /dashboard/watches/:id/status` */
export async function watchStatusPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  const status = (["paused", "stopped"] as const).find((one) => one === post.field("status")) ?? "active";
  if (status === "active" && !confirmByFactor(post, { formPage: pathOf(id) })) return;
  await callOperation(services, post, watchSitemap, { watch_id: id, status });
  post.redirect(`${pathOf(id)}?done=${status}`);
}

function About({ watch }: { watch: Watch }): VNode {
  const { sitemap_url: url, status, next_run_at: next, include, exclude, pages, waiting } = watch;
  return (
    <Facts
      rows={[
        ["Sitemap", url],
        ["Status", `${STATUS_WORDS[status]}, read ${INTERVAL_WORDS[watch.every]}`],
        ["Next run", next === null ? null : <Time key="next" at={next} />],
        ["Pages", `${formatNumber(pages)}${waiting > 0 ? `, ${formatNumber(waiting)} waiting` : ""}`],
        ["New pages are", NEW_WORDS[watch.new_pages]],
        ["Changed pages are", CHANGED_WORDS[watch.changed_pages]],
        ["Removed pages are", REMOVED_WORDS[watch.removed_pages]],
        ["Indexed pages are", RECHECK_WORDS[watch.recheck]],
        ["Most per run", formatCount(watch.most_per_run, "page")],
        ["Only paths", include.length === 0 ? null : <code key="include">{include.join(" ")}</code>],
        ["Never paths", exclude.length === 0 ? null : <code key="exclude">{exclude.join(" ")}</code>],
      ]}
    />
  );
}

/** The meter of the month. */
function Month({ watch }: { watch: Watch }): VNode {
  const { spent_this_month: spent, credits_per_month: most, estimated_credits_per_month: estimate } = watch;
  return (
    <>
      <h2>This month</h2>
      <StateBar
        parts={[
          { state: "checking", label: "Spent", count: Math.min(spent, most) },
          { state: "waiting", label: "Left", count: Math.max(0, most - spent) },
        ]}
      />
      <p>
        {formatNumber(spent)} of {formatCount(most, "credit")} spent.{" "}
        {estimate !== null && `A month is estimated to cost ${formatCount(estimate, "credit")}.`}
      </p>
    </>
  );
}

interface SettingsProps {
  readonly request: SignedInRequest;
  readonly watch: Watch;
  readonly attempt: Attempt | null;
}

function Settings({ request, watch, attempt }: SettingsProps): VNode {
  const typed = attempt?.typed ?? typedOf(watch);
  const problems = attempt?.problems ?? {};
  return (
    <>
      <h2>Settings</h2>
      <details open={Boolean(attempt?.typed)}>
        <summary>Change them</summary>
        <Form request={request} action={pathOf(watch.id)}>
          <WatchFields typed={typed} problems={problems} />
          <Button>Save</Button>
        </Form>
      </details>
    </>
  );
}

function Runs({ runs }: { runs: readonly Run[] }): VNode {
  return (
    <Table
      label="Runs"
      columns={[
        { head: "When", cell: ({ at }) => <Time at={at} /> },
        { head: "Outcome", cell: outcomeOf },
        { head: "New", isNumber: true, cell: (run) => formatNumber(run.new) },
        { head: "Changed", isNumber: true, cell: (run) => formatNumber(run.changed) },
        { head: "Removed", isNumber: true, cell: (run) => formatNumber(run.removed) },
        { head: "Submitted", isNumber: true, cell: submittedOf },
        { head: "Credits", isNumber: true, cell: (run) => formatNumber(run.credits_spent) },
      ]}
      rows={runs}
    />
  );
}

const RESULT_WORDS: Readonly<Record<Run["result"], string>> = {
  done: "Done.",
  held: "Held.",
  failed: "Could not be read.",
  unchanged: "Nothing new.",
};

function outcomeOf({ result, reason }: Run): string {
  return reason === null ? RESULT_WORDS[result] : `${RESULT_WORDS[result]} ${reasonWords(reason)}`;
}

function submittedOf({ submitted, project_id: project }: Run): VNode | string {
  const text = formatNumber(submitted);
  return project === null ? text : <a href={`${PATHS.projects}/${project}`}>{text}</a>;
}
