import type { VNode } from "preact";
import getProject from "../../../../tools/get-project.ts";
import getReport from "../../../../tools/get-report.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatCount, formatDays, formatNumber, formatPercent } from "../../../platform/format.ts";
import { FoundLine } from "../charts/found-line.tsx";
import { Pagination, type requestedPage } from "../components/pagination.tsx";
import { Reasons } from "../components/reasons.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { Day, Time } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { type Kind, partsOf, wordOf } from "../projects/link-states.ts";
import type { WebsiteServices } from "../shell/page-request.ts";
import { FINDINGS, type Finding, type OpenedShare, readAs, urlsOf } from "./domain.ts";

export const URLS_PER_PAGE = 50;

/** Rows of each table: with them the report fits on a sheet of paper. */
const REASONS = 6;
const HOSTS = 5;

type Project = AnswerOf<typeof getProject>;
type Report = AnswerOf<typeof getReport>;

/** The results of a shared project, as get_project and get_report say them. */
export async function projectResults(
  services: WebsiteServices,
  opened: OpenedShare,
  page: ReturnType<typeof requestedPage>,
): Promise<VNode> {
  const input = { project_id: opened.share.projectId };
  const [project, report] = [
    await readAs(services, opened, getProject, input),
    await readAs(services, opened, getReport, input),
  ];
  const { urls, hasMore } = await urlsOf(services, opened, page);
  const counts = countsIn(report);
  return (
    <>
      <Headline project={project} report={report} counts={counts} />
      <p class="soft">
        {project.kind === "check" ? "Looked up" : "Submitted"} <Day at={project.created_at} />,{" "}
        {project.completed_at ? (
          <>
            completed <Day at={project.completed_at} />
          </>
        ) : (
          <>
            as of <Time at={services.clock.service()} />
          </>
        )}
      </p>
      <States counts={counts} kind={project.kind} total={project.counts.total} />
      {report.found_by_day.length > 0 && project.kind === "index" && <Found project={project} report={report} />}
      <Reasons
        most={REASONS}
        reasons={report.groups
          .filter(({ status }) => !["indexed", "waiting", "checking"].includes(status))
          .map(({ status, words, by, count, next_step }) => ({
            state: status,
            label: wordOf(status, project.kind),
            words: by === "google" ? `“${words}”` : words,
            count,
            nextStep: next_step,
          }))}
      />
      {report.by_host.length > 1 && <Hosts hosts={report.by_host} />}
      <section class="no-print" id="urls">
        <h2>URLs</h2>
        <Table
          label="URLs"
          isDense
          rows={urls}
          columns={[
            {
              head: "URL",
              cell: ({ url }) => (
                <span class="url">
                  <UrlText url={url} />
                </span>
              ),
            },
            { head: "State", isPlain: true, cell: ({ finding }) => <State kind={project.kind} finding={finding} /> },
          ]}
        />
        <Pagination path="" number={page.number} hasMore={hasMore} hash="#urls" />
      </section>
    </>
  );
}

function countsIn({ groups }: Report): Readonly<Record<Finding, number>> {
  const counts = Object.fromEntries(FINDINGS.map((finding) => [finding, 0])) as Record<Finding, number>;
  for (const { status, count } of groups) counts[status] += count;
  return counts;
}

function Headline({
  project,
  report,
  counts,
}: {
  project: Project;
  report: Report;
  counts: Record<Finding, number>;
}): VNode {
  const { total } = project.counts;
  const early = foundBy(report, CHECK_DAYS.first);
  const open = counts.waiting + counts.checking;
  return (
    <p class="headline">
      <strong>
        {formatNumber(counts.indexed)} of {formatNumber(total)}
      </strong>{" "}
      in Google{open === 0 && ` (${formatPercent(counts.indexed, total)})`}
      {early > 0 && project.kind === "index" && ` · ${formatNumber(early)} found by day ${CHECK_DAYS.first}`}
      {report.median_days !== null &&
        project.kind === "index" &&
        ` · half of them within ${formatDays(report.median_days)}`}
      {open > 0 && ` · ${formatNumber(open)} still open`}
    </p>
  );
}

function foundBy({ found_by_day }: Report, last: number): number {
  return found_by_day.filter(({ day }) => day <= last).reduce((sum, { count }) => sum + count, 0);
}

interface StatesProps {
  readonly counts: Readonly<Record<Finding, number>>;
  readonly kind: Kind;
  readonly total: number;
}

function States({ counts, kind, total }: StatesProps): VNode {
  const present = FINDINGS.filter((finding) => counts[finding] > 0);
  return (
    <div class="states">
      <StateBar parts={partsOf(counts, kind)} most={total} />
      <ul>
        {present.map((finding) => (
          <li key={finding}>
            <State finding={finding} kind={kind} /> <span class="number">{formatNumber(counts[finding])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function State({ finding, kind }: { finding: Finding; kind: Kind }): VNode {
  return <span class={`state state-${finding}`}>{wordOf(finding, kind)}</span>;
}

/** How many were found by which day after sending. */
function Found({ project, report }: { project: Project; report: Report }): VNode {
  const { found_by_day } = report;
  const last = Math.max(CHECK_DAYS.final + 1, ...found_by_day.map(({ day }) => day + 1));
  let count = 0;
  const points = [{ at: 0, found: 0, inGoogle: 0 }];
  for (const one of found_by_day) {
    count += one.count;
    points.push({ at: one.day * DAY, found: count, inGoogle: count });
  }
  points.push({ at: last * DAY, found: count, inGoogle: count });
  return (
    <section>
      <h2>Found by day</h2>
      <FoundLine
        points={points}
        total={project.counts.total}
        from={0}
        to={last * DAY}
        next={null}
        description={`${formatCount(count, "URL")} of ${formatNumber(project.counts.total)} found in Google: ${found_by_day
          .map((one) => `day ${one.day}: ${formatNumber(one.count)}`)
          .join(", ")}`}
      />
    </section>
  );
}

function Hosts({ hosts }: { hosts: Report["by_host"] }): VNode {
  return (
    <section>
      <h2>By host</h2>
      <Table
        label="URLs by host"
        isNarrow
        rows={hosts.slice(0, HOSTS)}
        columns={[
          { head: "Host", cell: ({ host }) => <UrlText url={host} most={60} /> },
          { head: "URLs", isNumber: true, cell: ({ total }) => formatNumber(total) },
          { head: "In Google", isNumber: true, cell: ({ indexed }) => formatNumber(indexed) },
        ]}
      />
      {hosts.length > HOSTS && <p class="soft">and {formatCount(hosts.length - HOSTS, "more host")}</p>}
    </section>
  );
}
