import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import { csvOf } from "../../../contract/shapes/whole-list.ts";
import { iso } from "../../../platform/clock.ts";
import { PATHS } from "../shell/addresses.ts";
import { sendFile } from "../shell/download.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type ListedLink, linksFor, projectAt } from "./domain.ts";
import { wantedLinks } from "./link-query.ts";
import { type Kind, resultOf } from "./link-states.ts";
import { eachOfProjects, type ListedProject } from "./project-list.ts";

/** Files for people: the rows of a page's list, in the words of the page. The API's own files have its codes. */

const BATCH = 500;

const LINK_COLUMNS = [
  ...["No.", "URL", "Result", "Why", "What to do", "Sent (UTC)", "First found (UTC)", "Last found (UTC)"],
  ...["Last check (UTC)", "Next check (UTC)", "Fetched by Google (UTC)", "Fetched by Bing (UTC)"],
  ...["Credits", "Credits back"],
];

/** `/dashboard/projects/:id/urls.csv` */
export async function downloadUrls(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  const { positions, page } = await linksFor(services, project, wantedLinks(request));
  const pieces = csvOf(LINK_COLUMNS, batches(), linkCells);
  await sendFile(request, { pieces, form: "csv", name: fileName(project.name, services.clock.service()) });

  async function* batches() {
    for (let first = 0; first < positions.length; first += BATCH) yield page(first, first + BATCH);
  }
}

function linkCells({ link, evidence, position }: ListedLink) {
  const { word, more } = resultOf(evidence);
  const { engines, credits, credits_returned: returned } = link;
  return [
    position + 1,
    link.url,
    word,
    more.replace(/^[\s:,;]+/, ""),
    evidence.nextStep,
    ...[link.sent_at, link.first_found_at, link.last_found_at, link.checked_at, link.next_check_at].map(minute),
    minute(engines.google.crawled_at),
    minute(engines.bing.crawled_at),
    credits,
    returned,
  ];
}

const PROJECT_COLUMNS = [
  ...["Project", "Tags", "Kind", "Status", "URLs", "In Google", "% in Google", FINDING_LABELS.gone],
  ...["Still open", "Not in Google, unknown or not sent", "Credits", "Credits back"],
  ...["Created (UTC)", "Completed (UTC)", "Archived", "Address"],
];

/** `/dashboard/projects/list.csv` */
export async function downloadProjectList(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { siteUrl } = services.config;
  const pieces = csvOf(PROJECT_COLUMNS, eachOfProjects(services, request), (project) => projectCells(project, siteUrl));
  await sendFile(request, { pieces, form: "csv", name: fileName("projects", services.clock.service()) });
}

function projectCells(listed: ListedProject, siteUrl: string) {
  const { project, inGoogle, open, others, gone, tags, archived } = listed;
  const { counts } = project;
  return [
    project.name,
    tags.join(", "),
    KINDS[project.kind as Kind],
    project.status === "active" ? "Active" : "Completed",
    counts.total,
    inGoogle,
    project.status === "active" ? null : Math.round((1000 * inGoogle) / counts.total) / 10,
    gone,
    open,
    others,
    project.credits_spent,
    project.credits_returned,
    minute(project.created_at),
    minute(project.completed_at),
    archived ? "yes" : "no",
    `${siteUrl}${PATHS.projects}/${project.id}`,
  ];
}

const KINDS = { index: "Indexing", check: "Check" } as const;

/** "2026-01-05 09:43", which spreadsheets take for a time */
function minute(time: string | null): string | null {
  return time?.slice(0, 16).replace("T", " ") ?? null;
}

/** "spring-articles-2026-01-05". @param now service time */
function fileName(name: string, now: number): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return [words || "project", iso(now).slice(0, 10)].join("-");
}
