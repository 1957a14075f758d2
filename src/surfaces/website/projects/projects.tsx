import type { VNode } from "preact";
import listProjects from "../../../../tools/list-projects.ts";
import { Notice } from "../components/notice.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { SearchForm } from "../components/search-form.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { type ListQuery, listAddress, listQuery, without } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type SpenderQuery, spenderQuery } from "../spending/reading.ts";
import { SpenderFilter, spenderParameter } from "../spending/spender-filter.tsx";
import { Downloads } from "./downloads.tsx";
import { type Count, ProjectFilters } from "./project-filters.tsx";
import { ProjectTable } from "./project-table.tsx";
import { PROJECT_ORDERS, type ProjectSort, projectCounts } from "./reading.ts";

const PER_PAGE = 50;

const KINDS = ["all", "index", "check"] as const;
const STATUSES = ["any", "active", "completed"] as const;

/** The list as it is without any parameter. */
const PRESET = { sort: "-created", kind: "all", status: "any" };

/** `/dashboard/projects`: all projects, searched, filtered and sorted as the address asks, and downloads of them. */
export async function projectsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const query = listQuery(request, PROJECT_ORDERS, "-created");
  const kind = KINDS.find((one) => one === request.query("kind")) ?? "all";
  const status = STATUSES.find((one) => one === request.query("status")) ?? "any";
  const { number, ...page } = requestedPage(request, PER_PAGE);
  const spender = await spenderQuery(services.db, request);
  const { credentials } = spender;
  const filter = { search: query.search, sort: query.sort, kind, status, ...spenderParameter(spender.chosen) };
  const [counts, { projects, has_more: hasMore }] = await Promise.all([
    projectCounts(services, request, { search: query.search, credentials }),
    readOperation(services, request, listProjects, { ...without(PRESET, filter), ...page }),
  ]);
  const addressOf = (change: Readonly<Record<string, string>>) =>
    listAddress(PATHS.projects, without(PRESET, { ...filter, ...change }));
  const isUnfiltered = Object.keys(without(PRESET, filter)).length === 0 && query.problem === null;
  const isEmpty = projects.length === 0 && number === 1 && isUnfiltered;
  const body = isEmpty ? (
    <NoProjects siteUrl={services.config.siteUrl} />
  ) : (
    <>
      {query.problem && <Notice variant="bad">{query.problem}</Notice>}
      {spender.problem && <Notice variant="bad">{spender.problem}</Notice>}
      <Tools {...{ query, filter, spender, counts, addressOf }} />
      {projects.length > 0 ? (
        <>
          <ProjectTable projects={projects} sort={{ current: query.sort, addressOf: (sort) => addressOf({ sort }) }} />
          <p class="soft">
            Found: a check found the URL in Google, even if a later check did not. The page of a project shows which of
            them are gone since.
          </p>
        </>
      ) : (
        <NothingFound search={query.search} page={number} first={addressOf({})} />
      )}
      <Pagination path={PATHS.projects} query={without(PRESET, filter)} number={number} hasMore={hasMore} />
      <Downloads path={PATHS.projects} query={without(PRESET, filter)} />
      <p class="soft">
        <a href={PATHS.shares}>Results that are shared by a link</a>
      </p>
    </>
  );
  request.show(dashboardPage({ section: "projects", title: "Projects", body }));
}

interface ToolsProps {
  readonly query: ListQuery<ProjectSort>;
  readonly filter: { readonly search: string; readonly sort: string; readonly kind: string; readonly status: string };
  readonly spender: SpenderQuery;
  readonly counts: readonly Count[];
  readonly addressOf: (change: Readonly<Record<string, string>>) => string;
}

/** The search, the filters and the way to a new project, in one line on a desk. */
function Tools({ query, filter, spender, counts, addressOf }: ToolsProps): VNode {
  const { search: _, ...others } = filter;
  return (
    <div class="list-tools">
      <SearchForm
        {...{ label: "Search projects by name", action: PATHS.projects, search: query.search }}
        query={without(PRESET, others)}
        clear={addressOf({ search: "" })}
      />
      <SpenderFilter query={spender} action={PATHS.projects} others={without(PRESET, filter)} />
      <ProjectFilters {...{ kind: filter.kind, status: filter.status, counts, addressOf }} />
      <a class="button new" href={PATHS.newProject}>
        New project
      </a>
    </div>
  );
}

function NothingFound({ search, page, first }: { search: string; page: number; first: string }): VNode {
  if (page > 1)
    return (
      <p>
        There are no more projects. <a href={first}>Back to the first page</a>
      </p>
    );
  return (
    <p>
      {search === "" ? (
        "No project is like this."
      ) : (
        <>
          No project like this has “<bdi>{search}</bdi>” in its name.
        </>
      )}{" "}
      <a href={PATHS.projects}>Show all projects</a>
    </p>
  );
}

function NoProjects({ siteUrl }: { siteUrl: string }): VNode {
  return (
    <p>
      Nothing here yet. Create a <a href={PATHS.newProject}>new project</a> from a list of URLs or a sitemap. Programs
      and agents create them too, with <code>POST {siteUrl}/api/v1/projects</code> or the tool <code>submit_urls</code>.
      The <a href="/dashboard">first steps</a> show how.
    </p>
  );
}
