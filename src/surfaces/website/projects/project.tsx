import type { VNode } from "preact";
import getReport from "../../../../tools/get-report.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { allows } from "../../../platform/roles.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Facts } from "../components/facts.tsx";
import { ServiceClock } from "../components/service-clock.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { newSharePath, PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { SandboxClock } from "./advance-clock.tsx";
import {
  fingerprintOf,
  isHeldOut,
  type Project,
  progressUntil,
  projectAt,
  resultsOpened,
  submitterOf,
  tagsOf,
} from "./domain.ts";
import { editPath } from "./edit.tsx";
import { ExperimentPanel, experimentOf } from "./experiment.tsx";
import { chartEnd, FoundChart } from "./found-chart.tsx";
import { linkList } from "./link-list.tsx";
import { CancelProject } from "./project-cancel.tsx";
import { ProjectEngines } from "./project-engines.tsx";
import { ProjectNext } from "./project-next.tsx";
import { Tag } from "./project-table.tsx";
import { Reasons } from "./reasons.tsx";
import { ResultBar } from "./result-bar.tsx";
import { Crawled, Places } from "./result-details.tsx";
import { ResultLine } from "./result-line.tsx";
import { Returned } from "./returned.tsx";

const DONE = { cancelled: "Cancelled. What was sent already goes on.", saved: "Saved." };

/** `/dashboard/projects/:id`: what came of it, why the others are not there, what happens next, and its URLs. */
export async function projectPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  await resultsOpened(services, request, project);
  const now = services.clock.service();
  const experiment = await experimentOf(services, request, project);
  const fingerprint = (await fingerprintOf(services, project)) + (experiment?.verdict ?? "");
  if (request.isUnchanged(fingerprint)) return;
  const progress = await progressUntil(services, project, Math.min(now, chartEnd(project, now)));
  const about = { project_id: project.id, rows: SIZES.reportRows };
  const report = await readOperation(services, request, getReport, about);
  const by = await submitterOf(services, request, project);
  const list = await linkList(services, request, project);
  const body = (
    <div data-live={fingerprint}>
      <div id="result" data-live-part>
        <ResultLine {...{ project, progress, foundByDay: report.found_by_day, now }} />
        <ResultBar project={project} counts={progress.counts} />
      </div>
      <div class="panels result-panels">
        <FoundChart {...{ project, progress, report, now }} />
        <Reasons project={project} groups={report.groups} />
        <div>
          <ProjectNext project={project} next={progress.next} now={now} />
          <Returned project={project} counts={progress.counts} />
          <Crawled project={project} report={report} />
          {experiment && <ExperimentPanel experiment={experiment} />}
          <ProjectEngines project={project} engines={progress.engines} />
        </div>
      </div>
      <CancelProject request={request} project={project} />
      <Places project={project} report={report} />
      {list}
      <ServiceClock now={now} real={request.now} />
    </div>
  );
  const message = (
    <>
      {doneMessage(request, DONE)}
      <About project={project} by={by} now={now} role={request.session.role} />
      <SandboxClock services={services} request={request} project={project} />
    </>
  );
  const heading = <bdi>{project.name}</bdi>;
  request.show(dashboardPage({ section: "projects", title: project.name, heading, message, body }));
}

interface AboutProps {
  readonly project: Project;
  /** Who submitted it. */
  readonly by: string | null;
  /** Service time. */
  readonly now: number;
  readonly role: SignedInRequest["session"]["role"];
}

/** What kind of project it is, in one line. */
function About({ project, by, now, role }: AboutProps): VNode {
  const { id, kind, mode, dripDays, sitemapUrl, parentId, createdAt, completedAt, creditsSpent, archived } = project;
  const check = isHeldOut(project) ? "Held out of an experiment" : "Index check";
  const tags = tagsOf(project);
  return (
    <div>
      <Facts
        isInline
        rows={[
          ["Kind", kind === "check" ? check : `Indexing, ${mode}`],
          ["Sending", dripDays > 0 ? `spread over ${formatCount(dripDays, "day")}` : null],
          [
            "Created",
            <>
              <Time at={createdAt} /> <span class="soft">{relativeTime(createdAt, now)}</span>
            </>,
          ],
          ["By", by],
          ["Completed", completedAt && <Time at={completedAt} />],
          ["Credits", `${formatNumber(creditsSpent)} spent`],
          ["Sitemap", sitemapUrl],
          ["Submits again", parentId && <a href={`${PATHS.projects}/${parentId}`}>what {parentId} left</a>],
          ["Tags", tags.length > 0 ? tags.map((tag) => <Tag key={tag} tag={tag} />) : null],
          ["Archived", archived ? "yes" : null],
          ["ID", <code key="id">{id}</code>],
          [
            "",
            <span key="acts" class="row">
              {allows(role, "index") && <a href={editPath(id)}>Rename, tag or archive</a>}
              {allows(role, "share") && <a href={newSharePath({ project: id })}>Share</a>}
            </span>,
          ],
        ]}
      />
    </div>
  );
}
