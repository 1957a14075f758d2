import type { VNode } from "preact";
import getWatch from "../../../../../tools/get-watch.ts";
import runWatch from "../../../../../tools/run-watch.ts";
import watchSitemap from "../../../../../tools/watch-sitemap.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { StateBar } from "../../components/state-bar.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../../shell/dashboard-page.tsx";
import { typedIn } from "../../shell/form-fields.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { DryRun, type DryRunResult } from "./dry-run.tsx";
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
  holdWords,
  INTERVAL_WORDS,
  NEW_WORDS,
  RECHECK_WORDS,
  REMOVED_WORDS,
  reasonWords,
  STATUS_WORDS,
  type Watch,
} from "./watch-words.ts";

type Run = AnswerOf<typeof getWatch>["runs"][number];

/** What somebody typed, and why it was refused. */
interface Attempt {
  readonly typed: TypedWatch;
  readonly problems: Problems;
  readonly status: number;
}

function pathOf(id: string): string {
  return `${PATHS.watches}/${id}`;
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
  const body = (
    <>
      <p>
        <a href={PATHS.watches}>All watches</a>
      </p>
      <Hold request={request} watch={watch} run={runs[0]} />
      <About watch={watch} />
      <Month watch={watch} />
      <Actions request={request} watch={watch} />
      {dryRun && <DryRun watch={watch} run={dryRun} />}
      <h2>Last runs</h2>
      {runs.length === 0 ? <p>The first run is due at once.</p> : <Runs runs={runs} />}
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
  made: "The sitemap is watched. Its first run is due at once.",
  saved: "The settings are saved. They hold from the next run on.",
  ran: "The sitemap was read.",
  released: "It goes on.",
  active: "The watch is active.",
  paused: "The watch is paused.",
  stopped: "The watch is stopped.",
};

/** `POST /dashboard/watches/:id/run`: runs it now; with `release`, what has held it is accepted. */
export async function runWatchPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  const release = post.field("release") === "yes";
  if (release && !confirmByFactor(post, { formPage: pathOf(id) })) return;
  await callOperation(services, post, runWatch, { watch_id: id, release });
  post.redirect(`${pathOf(id)}?done=${release ? "released" : "ran"}`);
}

/** `POST /dashboard/watches/:id/status` */
export async function watchStatusPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  const status = (["paused", "stopped"] as const).find((one) => one === post.field("status")) ?? "active";
  if (status === "active" && !confirmByFactor(post, { formPage: pathOf(id) })) return;
  await callOperation(services, post, watchSitemap, { watch_id: id, status });
  post.redirect(`${pathOf(id)}?done=${status}`);
}

interface HoldProps {
  readonly request: SignedInRequest;
  readonly watch: Watch;
  readonly run: Run | undefined;
}

/** What holds a watch, what would happen, and the one button that lets it go on. */
function Hold({ request, watch, run }: HoldProps): VNode | null {
  const words = holdWords(watch.reason);
  if (words === null) return null;
  if (watch.status !== "held" || !run) return <Notice>{words}</Notice>;
  return (
    <>
      <Notice>
        This watch waits for you. {words} The last run found {formatNumber(run.new)} new, {formatNumber(run.changed)}{" "}
        changed and {formatNumber(run.removed)} removed of {formatCount(watch.pages, "known page")}. Nothing was done.
        If the sitemap is soon as it was, it goes on by itself.
      </Notice>
      <Form request={request} action={`${pathOf(watch.id)}/run`} hidden={{ release: "yes" }}>
        <Button>This is right: go on</Button>
      </Form>
    </>
  );
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
        ["Only pages", include.length === 0 ? null : <code key="include">{include.join(" ")}</code>],
        ["Not pages", exclude.length === 0 ? null : <code key="exclude">{exclude.join(" ")}</code>],
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

function Actions({ request, watch }: { request: SignedInRequest; watch: Watch }): VNode {
  const path = pathOf(watch.id);
  const isRunning = watch.status === "active" || watch.status === "held";
  return (
    <>
      <div class="row">
        {isRunning && (
          <Form request={request} action={`${path}/run`}>
            <Button variant="quiet small">Read it now</Button>
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
          warning="It is not read any more, and its pages are forgotten: made active again, it begins as it did."
          action={`${path}/status`}
          hidden={{ status: "stopped" }}
          button="Stop this watch"
        />
      )}
    </>
  );
}

interface SettingsProps {
  readonly request: SignedInRequest;
  readonly watch: Watch;
  readonly attempt: Attempt | null;
}

function Settings({ request, watch, attempt }: SettingsProps): VNode {
  const { typed, problems } = attempt ?? { typed: typedOf(watch), problems: {} };
  return (
    <>
      <h2>Settings</h2>
      <details open={attempt !== null}>
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
