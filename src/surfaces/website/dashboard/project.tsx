import type { VNode } from "preact";
import { linksOf } from "../../../domain/projects/list-links.ts";
import { type Progress, progressOf, progressVersion } from "../../../domain/projects/progress.ts";
import { type ProjectRow, projectOf } from "../../../domain/projects/read.ts";
import { LINK_STATES, type LinkState } from "../../../domain/projects/states.ts";
import { DAY } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Facts } from "../components/facts.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { RawHtml } from "../raw-html.tsx";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { linkTable } from "./link-table.ts";
import { PATHS } from "./paths.ts";
import { CancelProject } from "./project-cancel.tsx";
import { ProjectCauses } from "./project-causes.tsx";
import { ProjectEngines } from "./project-engines.tsx";
import { ProjectNext } from "./project-next.tsx";
import { ProjectProgress } from "./project-progress.tsx";
import { ServiceClock } from "./service-clock.tsx";
import { STATUS_LABELS } from "./status-counts.ts";
import { pagination, requestedPage } from "./table.ts";

const PER_PAGE = 100;

const DONE = { cancelled: "Cancelled. What was sent already goes on." };

/** `/dashboard/projects/:id`: how far it is, what happens next, what came back, and its URLs. */
export async function projectPage({ db, clock }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const project = await projectOf(db, request.session.accountId, id);
  if (!project)
    throw new Refusal("not_found", "Your account has no such project. The dashboard lists all that it has.");
  const now = clock.service();
  const version = await progressVersion(db, project);
  if (request.isUnchanged(version)) return;
  const progress = await progressOf(db, project, Math.min(now, endOf(project)));
  const page = requestedPage(request, PER_PAGE);
  const state = LINK_STATES.find((one) => one === request.query("status")) ?? null;
  const { records, hasMore } = await linksOf(db, project, { ...page, state });
  const path = `${PATHS.projects}/${project.id}`;
  const query: Record<string, string> = state === null ? {} : { status: state };
  const list = html`${filters(path, project, state)}
${records.length > 0 ? linkTable(records, now) : html`<p>Nothing here yet.</p>`}
${pagination(path, query, page.number, hasMore)}`;
  const body = (
    <div data-live={version}>
      <ServiceClock now={now} real={request.now} />
      <Panels project={project} progress={progress} now={now} />
      <CancelProject request={request} project={project} />
      <h2 id="urls">URLs</h2>
      <RawHtml html={list.text} />
    </div>
  );
  const message = doneMessage(request, DONE);
  request.show(dashboardPage({ section: "projects", title: project.name, message, body }));
}

/** The history of a completed project ends a little after its last change. */
function endOf({ createdAt, completedAt }: ProjectRow): number {
  return completedAt === null ? Number.POSITIVE_INFINITY : Math.max(completedAt, createdAt + DAY);
}

function Panels({ project, progress, now }: { project: ProjectRow; progress: Progress; now: number }): VNode {
  return (
    <div class="panels">
      <ProjectProgress project={project} progress={progress} now={now} />
      <div>
        <ProjectNext project={project} next={progress.next} now={now} />
        <ProjectCauses project={project} causes={progress.causes} />
        <ProjectEngines project={project} engines={progress.engines} />
        <About project={project} now={now} />
      </div>
    </div>
  );
}

function About({ project, now }: { project: ProjectRow; now: number }): VNode {
  const { id, kind, mode, dripDays, sitemapUrl, createdAt, creditsSpent } = project;
  return (
    <section class="panel">
      <h2>About</h2>
      <Facts
        rows={[
          ["ID", <code key="id">{id}</code>],
          ["Kind", kind === "check" ? "Index check" : `Indexing, ${mode}`],
          ["Sending", dripDays > 0 ? `spread over ${formatCount(dripDays, "day")}` : null],
          ["Sitemap", sitemapUrl],
          [
            "Created",
            <>
              <Time at={createdAt} /> <span class="soft">{relativeTime(createdAt, now)}</span>
            </>,
          ],
          ["Credits", `${formatNumber(creditsSpent)} spent`],
        ]}
      />
    </section>
  );
}

function filters(path: string, project: ProjectRow, chosen: LinkState | null): Html {
  const link = (state: LinkState | null, label: string, query: string) =>
    html`<a href="${path}${query}#urls"${state === chosen ? html` aria-current="true"` : ""}>${label}</a>\n`;
  const states = LINK_STATES.map((state) => link(state, STATUS_LABELS[state], `?status=${state}`));
  return html`<nav class="filters" aria-label="URLs by status">${link(null, `All ${formatNumber(project.total)}`, "")}${states}</nav>`;
}
