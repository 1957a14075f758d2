import type { VNode } from "preact";
import { formatCount, formatDays, formatNumber, formatPercent } from "../../../platform/format.ts";
import { linkId } from "../../../platform/ids.ts";
import { SIZES } from "../../../platform/limits.ts";
import { ServiceClock } from "../components/service-clock.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS, reportPath } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { AdviceText } from "./advice-text.tsx";
import { ENGINE_NAMES } from "./evidence-words.ts";
import { FINDING_LABELS } from "./link-states.ts";
import { adviceFor, FINDINGS, type Project, projectAt, type Report, reportAt, type UrlGroup } from "./reading.ts";
import { resubmitForm } from "./resubmit.tsx";

const DONE = { price: "More URLs are not indexed by now than the button said. Nothing was spent: the price is new." };

/** `/dashboard/projects/:id/report`: why the URLs of a project are as they are, as get_report says it. */
export async function reportPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  const { report, bing } = await reportAt(services, project);
  const body = (
    <>
      <p>
        <a href={`${PATHS.projects}/${project.id}`}>
          Back to <bdi>{project.name}</bdi>
        </a>
      </p>
      <ServiceClock now={services.clock.service()} real={request.now} />
      <Reasons project={project} groups={report.groups} />
      {await resubmitForm(services, request, project)}
      {bing && (
        <p>
          Bing has {formatCount(bing.indexed, "URL")} of its connected sites and has not{" "}
          {formatNumber(bing.not_indexed)}; of {formatNumber(bing.unknown)} it says nothing clear. No credits depend on
          that.
        </p>
      )}
      <Came project={project} report={report} />
      <UrlGroups title="By host" head="Host" project={project} groups={report.byHost} />
      <UrlGroups title="By folder" head="Folder" project={project} groups={report.byFolder} />
      <p class="soft">
        Download the report: <a href={`${reportPath(project.id)}.csv`}>CSV</a>, as the API answers it.
      </p>
    </>
  );
  const message = doneMessage(request, DONE);
  request.show(dashboardPage({ section: "projects", title: "Report", message, body }));
}

function Reasons({ project, groups }: { project: Project; groups: Report["groups"] }): VNode {
  const most = Math.max(...groups.map(({ count }) => count));
  return (
    <section>
      <h2>Why</h2>
      <p>
        {formatCount(project.total, "URL")} by what was found and the reason. A reason in quotation marks is what Google
        says of the page itself; the others are in our words.
      </p>
      <Table
        label="URLs by reason"
        rows={groups}
        columns={[
          {
            head: "State",
            cell: ({ finding }) => <span class={`state state-${finding}`}>{FINDING_LABELS[finding]}</span>,
          },
          { head: "Reason", cell: (group) => <Reason project={project} group={group} /> },
          {
            head: "Compared",
            cell: ({ finding, count }) => (
              <StateBar parts={[{ state: finding, label: FINDING_LABELS[finding], count }]} most={most} />
            ),
          },
          { head: "URLs", isNumber: true, cell: ({ count }) => formatNumber(count) },
          { head: "Share", isNumber: true, cell: ({ count }) => formatPercent(count, project.total) },
        ]}
      />
    </section>
  );
}

/** Whether the engines came since the URLs were sent, and when URLs were found. */
function Came({ project, report: { crawled, found } }: { project: Project; report: Report }): VNode {
  const engines = (["google", "bing"] as const).filter((one) => crawled[one].fetched + crawled[one].not_fetched > 0);
  const since = project.kind === "index" ? " since they were sent" : "";
  return (
    <section>
      <h2>Whether they came</h2>
      {engines.length === 0 && (
        <p>
          Not known: crawls are known of sites that are <a href={PATHS.sites}>connected</a> to Search Console or Bing.
        </p>
      )}
      {engines.map((engine) => {
        const { fetched, not_fetched: notFetched, unknown } = crawled[engine];
        return (
          <p key={engine}>
            {ENGINE_NAMES[engine]} has fetched {formatCount(fetched, "URL")}
            {since}, and has not fetched {formatNumber(notFetched)}
            {unknown > 0 && `; of ${formatNumber(unknown)} it is not known`}.
          </p>
        );
      })}
      {found.median !== null && (
        <p>
          Half of the URLs that were found were first found within {formatDays(found.median)} of sending, by the looks
          that there were: {found.byDay.map(({ day, count }) => `day ${day}: ${formatNumber(count)}`).join(", ")}.
        </p>
      )}
    </section>
  );
}

/** The reason, which opens its first URLs. */
function Reason({ project, group }: { project: Project; group: Report["groups"][number] }): VNode {
  const { words, isInGooglesWords, count, examples } = group;
  const more = count - examples.length;
  return (
    <details>
      <summary>{isInGooglesWords ? `“${words}”` : words}</summary>
      <AdviceText advice={adviceFor(group.reason)} />
      <ul class="lines">
        {examples.map(({ position, url }) => (
          <li key={position}>
            <a href={`${PATHS.projects}/${project.id}/links/${linkId(project.id, position)}`}>
              <UrlText url={url} most={SHOWN_URL} />
            </a>
          </li>
        ))}
        {more > 0 && <li class="soft">and {formatNumber(more)} more</li>}
      </ul>
    </details>
  );
}

/** Most characters of a URL, of a host or of a folder in a row. */
const SHOWN_URL = 100;

interface UrlGroupsProps {
  readonly title: string;
  readonly head: string;
  readonly project: Project;
  readonly groups: readonly UrlGroup[];
}

function UrlGroups({ title, head, project, groups }: UrlGroupsProps): VNode {
  const shown = groups.slice(0, SIZES.reportRows);
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={`URLs ${title.toLowerCase()}`}
        rows={shown}
        columns={[
          {
            head,
            cell: ({ name }) => (
              <a href={`${PATHS.projects}/${project.id}?${new URLSearchParams({ search: searchFor(name) })}#urls`}>
                <UrlText url={name} most={SHOWN_URL} />
              </a>
            ),
          },
          { head: "States", cell: ({ counts }) => <StateBar parts={partsOf(counts)} /> },
          { head: "URLs", isNumber: true, cell: ({ total }) => formatNumber(total) },
          { head: "Found", isNumber: true, cell: ({ counts, total }) => formatPercent(counts.indexed, total) },
          { head: "Rate of decided", cell: ({ rate }) => rateText(rate) },
        ]}
      />
      {groups.length > shown.length && (
        <p class="soft">and {formatNumber(groups.length - shown.length)} more with fewer URLs</p>
      )}
    </section>
  );
}

/** The rate with what chance leaves open, and whether it differs from all other URLs. */
function rateText({ rate, low, high, differs }: UrlGroup["rate"]): string {
  if (rate === null) return "fewer than 20 decided";
  return `${rate}% (${low}–${high}%)${differs === null ? "" : `, ${differs} than the others`}`;
}

/** What a search of the project's URLs takes of a long name. */
function searchFor(name: string): string {
  return name.slice(0, SIZES.search);
}

function partsOf(counts: UrlGroup["counts"]) {
  return FINDINGS.map((state) => ({ state, label: FINDING_LABELS[state], count: counts[state] }));
}
