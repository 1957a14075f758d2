import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { allows } from "../../../platform/roles.ts";
import { Facts } from "../components/facts.tsx";
import { ServiceClock } from "../components/service-clock.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { newSharePath, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { SandboxClock } from "./advance-clock.tsx";
import { experimentOf, experimentWords } from "./experiment.ts";
import { linkList } from "./link-list.tsx";
import { CancelProject } from "./project-cancel.tsx";
import { ProjectCauses } from "./project-causes.tsx";
import { ProjectEngines } from "./project-engines.tsx";
import { ProjectNext } from "./project-next.tsx";
import { chartEnd, ProjectProgress } from "./project-progress.tsx";
import { fingerprintOf, isHeldOut, type Progress, type Project, progressUntil, projectAt } from "./reading.ts";

const DONE = { cancelled: "Cancelled. What was sent already goes on." };

/** `/dashboard/projects/:id`: how far it is, what happens next, what came back, and its URLs. */
export async function projectPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  const now = services.clock.service();
  const experiment = await experimentOf(services, request, project);
  const fingerprint = (await fingerprintOf(services, project)) + (experiment?.verdict ?? "");
  if (request.isUnchanged(fingerprint)) return;
  const progress = await progressUntil(services, project, Math.min(now, chartEnd(project, now)));
  const list = await linkList(services, request, project);
  const body = (
    <div data-live={fingerprint}>
      <ServiceClock now={now} real={request.now} />
      <About
        project={project}
        experiment={experiment && experimentWords(experiment)}
        now={now}
        mayShare={allows(request.session.role, "share")}
      />
      <Panels project={project} progress={progress} now={now} />
      <CancelProject request={request} project={project} />
      {list}
    </div>
  );
  const message = (
    <>
      {doneMessage(request, DONE)}
      <SandboxClock services={services} request={request} project={project} />
    </>
  );
  request.show(dashboardPage({ section: "projects", title: project.name, message, body }));
}

function Panels({ project, progress, now }: { project: Project; progress: Progress; now: number }): VNode {
  return (
    <div class="panels">
      <ProjectProgress project={project} progress={progress} now={now} />
      <div>
        <ProjectNext project={project} next={progress.next} now={now} />
        <ProjectCauses project={project} causes={progress.causes} />
        <ProjectEngines project={project} engines={progress.engines} />
      </div>
    </div>
  );
}

interface AboutProps {
  readonly project: Project;
  readonly experiment: string | null;
  readonly now: number;
  readonly mayShare: boolean;
}

function About({ project, experiment, now, mayShare }: AboutProps): VNode {
  const { id, kind, mode, dripDays, sitemapUrl, parentId, createdAt, creditsSpent } = project;
  const check = isHeldOut(project) ? "Held out of an experiment" : "Index check";
  return (
    <Facts
      isInline
      rows={[
        ["ID", <code key="id">{id}</code>],
        ["Kind", kind === "check" ? check : `Indexing, ${mode}`],
        ["Sending", dripDays > 0 ? `spread over ${formatCount(dripDays, "day")}` : null],
        ["Sitemap", sitemapUrl],
        ["Sends again", parentId && <a href={`${PATHS.projects}/${parentId}`}>what {parentId} left</a>],
        ["Experiment", experiment],
        [
          "Created",
          <>
            <Time at={createdAt} /> <span class="soft">{relativeTime(createdAt, now)}</span>
          </>,
        ],
        ["Credits", `${formatNumber(creditsSpent)} spent`],
        ["Show it", mayShare ? <a href={newSharePath({ project: id })}>Share</a> : null],
      ]}
    />
  );
}
