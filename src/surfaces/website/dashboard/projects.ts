import { projectsOf } from "../../../domain/projects/list-projects.ts";
import type { ProjectRow } from "../../../domain/projects/read.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { PATHS } from "./paths.ts";
import { pagination, requestedPage, table } from "./table.ts";

const PER_PAGE = 50;

/** `/dashboard/projects`: all projects, newest first. */
export async function projectsPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const page = requestedPage(request, PER_PAGE);
  const { rows, hasMore } = await projectsOf(db, request.session.accountId, { kind: "all", status: "any", ...page });
  const body =
    rows.length > 0
      ? html`${projectTable(rows)}${pagination(PATHS.projects, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There are no more projects. <a href="${PATHS.projects}">Back to the first page</a></p>`
        : html`<p>Nothing here yet. A project is created when a program or an agent submits URLs, with
<code>POST ${config.siteUrl}/api/v1/projects</code> or the tool <code>submit_urls</code>. The
<a href="/dashboard">first steps</a> show how.</p>`;
  request.show(dashboardPage({ section: "projects", title: "Projects", body }));
}

export function projectTable(projects: readonly ProjectRow[]): Html {
  const heads = ["Project", "Status", "Indexed", "In progress", "Credits", "Created"];
  return table("Projects", heads, projects.map(rowOf));
}

function rowOf(project: ProjectRow) {
  const { id, name, kind, status, total, indexed, waiting, checking, creditsSpent, creditsReturned } = project;
  const inProgress = waiting + checking;
  const returned =
    creditsReturned > 0
      ? html`<br>
<span class="soft">${formatNumber(creditsReturned)} returned</span>`
      : "";
  return [
    html`<div class="name"><a href="${PATHS.projects}/${id}">${name}</a><br>
<span class="soft">${kind === "check" ? "check" : "indexing"}, ${formatCount(total, "URL")}</span></div>`,
    status,
    formatNumber(indexed),
    formatNumber(inProgress),
    html`${formatNumber(creditsSpent)}${returned}`,
    timeElement(project.createdAt),
  ];
}
