import type { VNode } from "preact";
import { Notice } from "../components/notice.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { SearchForm } from "../components/search-form.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { listAddress, without } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { SpenderFilter } from "../spending/spender-filter.tsx";
import { type Archived, projectCounts, tagsWith } from "./domain.ts";
import { ProjectDownloads } from "./downloads.tsx";
import { type Count, ProjectFilters } from "./project-filters.tsx";
import { listedProjects, PRESET, type ProjectsQuery, projectsQuery } from "./project-list.ts";
import { ProjectTable } from "./project-table.tsx";
import { MOST_TAGS, TagFilter } from "./tag-filter.tsx";

const PER_PAGE = 50;

/** `/dashboard/projects`: all projects, searched, filtered and sorted as the address asks, and downloads of them. */
export async function projectsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const asked = await projectsQuery(services, request);
  const { query, spender, filter, input } = asked;
  const { number, ...page } = requestedPage(request, PER_PAGE);
  const counted = { search: query.search, credentials: spender.credentials, archived: filter.archived as Archived };
  const [counts, { projects, hasMore }, tags] = await Promise.all([
    projectCounts(services, request, { ...counted, tag: filter.tag || undefined }),
    listedProjects(services, request, { ...input, ...page }),
    tagsWith(services, request, "", MOST_TAGS),
  ]);
  const addressOf = (change: Readonly<Record<string, string>>) =>
    listAddress(PATHS.projects, without(PRESET, { ...filter, ...change }));
  const parameters = without(PRESET, filter);
  const isUnfiltered = Object.keys(parameters).length === 0 && query.problem === null;
  const isEmpty = projects.length === 0 && number === 1 && isUnfiltered && tags.length === 0;
  const body = isEmpty ? (
    <NoProjects siteUrl={services.config.siteUrl} />
  ) : (
    <>
      {query.problem && <Notice variant="bad">{query.problem}</Notice>}
      {spender.problem && <Notice variant="bad">{spender.problem}</Notice>}
      <Tools {...{ asked, counts, tags, addressOf }} />
      {projects.length > 0 ? (
        <ProjectTable projects={projects} sort={{ current: query.sort, addressOf: (sort) => addressOf({ sort }) }} />
      ) : (
        <NothingFound
          {...filter}
          page={number}
          first={addressOf({})}
          similar={await similarTags(services, request, filter)}
        />
      )}
      <Pagination path={PATHS.projects} query={parameters} number={number} hasMore={hasMore} />
      <ProjectDownloads path={PATHS.projects} query={parameters} />
    </>
  );
  request.show(dashboardPage({ section: "projects", title: "Projects", body }));
}

/** Tags that contain what was typed, where no project has the tag. */
function similarTags(services: WebsiteServices, request: SignedInRequest, { tag }: ProjectsQuery["filter"]) {
  return tag === "" ? [] : tagsWith(services, request, tag, MOST_TAGS);
}

interface ToolsProps {
  readonly asked: ProjectsQuery;
  readonly counts: readonly Count[];
  readonly tags: readonly string[];
  readonly addressOf: (change: Readonly<Record<string, string>>) => string;
}

/** The search, the filters and the way to a new project, in one line on a desk. */
function Tools({ asked: { query, spender, filter }, counts, tags, addressOf }: ToolsProps): VNode {
  const { search: _, ...others } = without(PRESET, filter);
  return (
    <div class="list-tools">
      <SearchForm
        {...{ label: "Search projects by name", action: PATHS.projects, search: query.search }}
        query={others}
        clear={addressOf({ search: "" })}
      />
      <TagFilter {...{ tags, chosen: filter.tag, others: without(PRESET, filter), addressOf }} />
      <a class="button new" href={PATHS.newProject}>
        New project
      </a>
      <div class="list-filters">
        <ProjectFilters {...{ ...filter, counts, addressOf }} />
        <SpenderFilter query={spender} action={PATHS.projects} others={without(PRESET, filter)} />
      </div>
    </div>
  );
}

interface NothingFoundProps {
  readonly search: string;
  readonly tag: string;
  readonly page: number;
  readonly first: string;
  readonly similar: readonly string[];
}

function NothingFound({ search, tag, page, first, similar }: NothingFoundProps): VNode {
  if (page > 1)
    return (
      <p>
        There are no more projects. <a href={first}>Back to the first page</a>
      </p>
    );
  const others = similar.filter((one) => one !== tag);
  return (
    <p>
      {search === "" ? (
        "No project is like this."
      ) : (
        <>
          No project like this has “<bdi>{search}</bdi>” in its name.
        </>
      )}{" "}
      {others.length > 0 && (
        <>
          Tags like “<bdi>{tag}</bdi>”:{" "}
          {others.map((one) => (
            <a key={one} class="tag" href={listAddress(PATHS.projects, { tag: one })}>
              <bdi>{one}</bdi>
            </a>
          ))}{" "}
        </>
      )}
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
