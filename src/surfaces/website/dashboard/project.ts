import { linksOf } from "../../../domain/projects/list-links.ts";
import { type ProjectRow, projectOf } from "../../../domain/projects/read.ts";
import { LINK_STATES, type LinkState } from "../../../domain/projects/states.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { relativeTime, timeElement } from "./dates.ts";
import { linkTable } from "./link-table.ts";
import { PATHS } from "./paths.ts";
import { STATUS_LABELS, statusTable } from "./status-counts.ts";
import { pagination, requestedPage } from "./table.ts";

const PER_PAGE = 100;

/** `/dashboard/projects/:id`: its progress, and its URLs in the order in which they were submitted. */
export async function projectPage({ db, clock }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const project = await projectOf(db, request.session.accountId, id);
  if (!project)
    throw new Refusal("not_found", "Your account has no such project. The dashboard lists all that it has.");
  const page = requestedPage(request, PER_PAGE);
  const state = LINK_STATES.find((one) => one === request.query("status")) ?? null;
  const filter = { ...page, state };
  const { records, hasMore } = await linksOf(db, project, filter);
  const path = `${PATHS.projects}/${project.id}`;
  const query: Record<string, string> = state === null ? {} : { status: state };
  const body = html`${facts(project, clock.service())}
<h2>Progress</h2>
${statusTable(project)}
<h2 id="urls">URLs</h2>
${filters(path, project, state)}
${records.length > 0 ? linkTable(records, clock.service()) : html`<p>Nothing here yet.</p>`}
${pagination(path, query, page.number, hasMore)}`;
  request.show(dashboardPage({ section: "projects", title: project.name, body }));
}

/** @param now service time */
function facts(project: ProjectRow, now: number): Html {
  const { kind, mode, bing, yandex, dripDays, sitemapUrl, createdAt, completedAt } = project;
  const engines = ["Google", ...(bing ? ["Bing"] : []), ...(yandex ? ["Yandex"] : [])].join(", ");
  const rows: readonly (readonly [string, string | Html])[] = [
    ["ID", html`<code>${project.id}</code>`],
    ["Kind", kind === "check" ? "Index check" : `Indexing, ${mode}`],
    ["Search engines", engines],
    ...(dripDays > 0 ? ([["Sending", `spread over ${formatCount(dripDays, "day")}`]] as const) : []),
    ...(sitemapUrl ? ([["Sitemap", sitemapUrl]] as const) : []),
    ["Created", html`${timeElement(createdAt)} <span class="soft">${relativeTime(createdAt, now)}</span>`],
    ["Status", completedAt === null ? "active" : html`completed ${timeElement(completedAt)}`],
    ["Credits", `${formatNumber(project.creditsSpent)} spent, ${formatNumber(project.creditsReturned)} returned`],
  ];
  return html`<dl class="facts">${rows.map(
    ([name, value]) => html`<dt>${name}</dt>
<dd>${value}</dd>\n`,
  )}</dl>`;
}

function filters(path: string, project: ProjectRow, chosen: LinkState | null): Html {
  const link = (state: LinkState | null, label: string, query: string) =>
    html`<a href="${path}${query}#urls"${state === chosen ? html` aria-current="true"` : ""}>${label}</a>\n`;
  const states = LINK_STATES.map((state) => link(state, STATUS_LABELS[state], `?status=${state}`));
  return html`<nav class="filters" aria-label="URLs by status">${link(null, `All ${formatNumber(project.total)}`, "")}${states}</nav>`;
}
