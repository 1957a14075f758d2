import listProjects from "../../../../tools/list-projects.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { isStorable } from "../../../platform/text.ts";
import { readOperation } from "../shell/call-operation.ts";
import { type ListQuery, listQuery, without } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type SpenderQuery, spenderQuery } from "../spending/domain.ts";
import { spenderParameter } from "../spending/spender-filter.tsx";
import { PROJECT_ORDERS, type ProjectSort, type Shown, shownOf } from "./domain.ts";

type Answer = AnswerOf<typeof listProjects>;

/** A project as list_projects answers it, with the numbers of its page. */
export interface ListedProject extends Shown {
  readonly project: Answer["projects"][number];
  /** Found by the last check of each: what the page of the project says first. */
  readonly inGoogle: number;
  /** Not decided yet. */
  readonly open: number;
  /** Neither in Google, nor gone, nor open. */
  readonly others: number;
}

/** What list_projects answers to an input, with what lists of people show besides. */
export async function listedProjects(
  services: WebsiteServices,
  request: SignedInRequest,
  input: object,
): Promise<{ projects: ListedProject[]; hasMore: boolean }> {
  const { projects, has_more: hasMore } = await readOperation(services, request, listProjects, input);
  return { projects: await withShown(services, request, projects), hasMore };
}

/** Projects that list_projects has answered, with what lists of people show besides. */
export async function withShown(
  services: WebsiteServices,
  request: SignedInRequest,
  projects: Answer["projects"],
): Promise<ListedProject[]> {
  const ids = projects.map(({ id }) => id);
  const shown = await shownOf(services, request, ids);
  return projects.map((project) => listed(project, shown.get(project.id) ?? NONE));
}

const NONE: Shown = { gone: 0, tags: [], archived: false, by: null };

function listed(project: Answer["projects"][number], shown: Shown): ListedProject {
  const { counts } = project;
  return {
    ...shown,
    project,
    inGoogle: counts.indexed - shown.gone,
    open: counts.waiting + counts.checking,
    others: counts.not_indexed + counts.failed,
  };
}

const KINDS = ["all", "index", "check"] as const;
const STATUSES = ["any", "active", "completed"] as const;
const ARCHIVED = ["hide", "only", "all"] as const;

/** The list as it is without any parameter: people see no archived projects unless they ask for them. */
export const PRESET = { sort: "-created", kind: "all", status: "any", archived: "hide" };

/** What the address of the list asks for. */
export interface ProjectsQuery {
  readonly query: ListQuery<ProjectSort>;
  readonly spender: SpenderQuery;
  /** The parameters of the address. */
  readonly filter: Readonly<
    Record<"search" | "sort" | "kind" | "status" | "archived" | "tag", string> & Record<string, string>
  >;
  /** What list_projects is asked. */
  readonly input: Readonly<Record<string, string>>;
}

export async function projectsQuery(services: WebsiteServices, request: SignedInRequest): Promise<ProjectsQuery> {
  const query = listQuery(request, PROJECT_ORDERS, "-created");
  const spender = await spenderQuery(services.db, request);
  const filter = {
    search: query.search,
    sort: query.sort,
    kind: KINDS.find((one) => one === request.query("kind")) ?? "all",
    status: STATUSES.find((one) => one === request.query("status")) ?? "any",
    archived: ARCHIVED.find((one) => one === request.query("archived")) ?? "hide",
    tag: tagIn(request.query("tag")),
    ...spenderParameter(spender.chosen),
  };
  const { archived, ...others } = filter;
  return { query, spender, filter, input: { ...without(PRESET, others), archived } };
}

/** A text that no tag can be is the tag of nothing. */
function tagIn(text: string): string {
  return isStorable(text) ? text.trim() : "";
}

/** All projects that the address of the list asks for, in batches. */
export async function* eachOfProjects(
  services: WebsiteServices,
  request: SignedInRequest,
): AsyncIterable<ListedProject[]> {
  const { input } = await projectsQuery(services, request);
  for (let offset = 0; offset <= SIZES.pageOffset; offset += SIZES.pageLimit) {
    const { projects, hasMore } = await listedProjects(services, request, { ...input, offset, limit: SIZES.pageLimit });
    yield projects;
    if (!hasMore) return;
  }
}
