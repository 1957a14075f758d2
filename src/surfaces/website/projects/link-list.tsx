import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { Notice } from "../components/notice.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { SearchForm } from "../components/search-form.tsx";
import { Table } from "../components/table.tsx";
import { Day, RelativeTime } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { columnSort, type ListQuery, listAddress, listQuery, without } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { Downloads } from "./downloads.tsx";
import { STATUS_LABELS, stateSentence } from "./link-states.ts";
import {
  LINK_ORDERS,
  LINK_STATES,
  type LinkSort,
  type LinkState,
  type ListedLink,
  linksPage,
  type Project,
} from "./reading.ts";

const PER_PAGE = 100;

/** Where the page shows the list. */
const HASH = "#urls";

interface List extends ListQuery<LinkSort> {
  readonly project: Project;
  readonly state: LinkState | null;
  /** How many of the links that match the search have each state. */
  readonly counts: Readonly<Record<LinkState, number>>;
  readonly links: readonly ListedLink[];
  readonly hasMore: boolean;
  readonly page: number;
  /** Service time. */
  readonly now: number;
}

/** The section of a project's page with its links: searched, filtered and sorted as the address asks, and downloads of them. */
export async function linkList(services: WebsiteServices, request: SignedInRequest, project: Project): Promise<VNode> {
  const query = listQuery(request, LINK_ORDERS, "submitted");
  const page = requestedPage(request, PER_PAGE);
  const state = LINK_STATES.find((one) => one === request.query("status")) ?? null;
  const list = await linksPage(services, project, { ...query, ...page, state });
  return <LinkList {...{ ...query, ...list, project, state, page: page.number, now: services.clock.service() }} />;
}

function LinkList(list: List): VNode {
  const { project, search, sort, state, problem, page, hasMore } = list;
  const path = `${PATHS.projects}/${project.id}`;
  const query = { search, sort, status: state ?? "" };
  const { search: _, ...others } = parametersOf(query);
  return (
    <section id="urls">
      <h2>URLs</h2>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <SearchForm
        {...{ label: "Search these URLs", action: `${path}${HASH}`, search, query: others }}
        clear={listAddress(path, others, HASH)}
      />
      <div id="link-results" data-live-part>
        <Filters {...list} />
        {list.links.length > 0 ? <Links {...list} /> : <NothingFound {...list} />}
        <Pagination path={path} query={parametersOf(query)} number={page} hasMore={hasMore} hash={HASH} />
        <Downloads path={`${path}/links`} query={parametersOf(query)} />
      </div>
    </section>
  );
}

/** The parameters of the list's address, without defaults. */
function parametersOf(query: Readonly<Record<string, string>>): Record<string, string> {
  return without({ sort: "submitted" }, query);
}

function addressOf({ project, search, sort, state }: List, change: Readonly<Record<string, string>>): string {
  const query = parametersOf({ search, sort, status: state ?? "", ...change });
  return listAddress(`${PATHS.projects}/${project.id}`, query, HASH);
}

function Filters(list: List): VNode {
  const { state, counts } = list;
  const filter = (value: LinkState | null, label: string, count: number) => (
    <a key={label} href={addressOf(list, { status: value ?? "" })} aria-current={value === state ? "true" : undefined}>
      {label} {formatNumber(count)}
    </a>
  );
  const all = LINK_STATES.reduce((sum, one) => sum + counts[one], 0);
  return (
    <nav class="filters" aria-label="URLs by status">
      {filter(null, "All", all)}
      {LINK_STATES.map((one) => filter(one, STATUS_LABELS[one], counts[one]))}
    </nav>
  );
}

function Links(list: List): VNode {
  const { project, links, now, sort } = list;
  const by = (word: string, first?: "descending") =>
    columnSort(sort, word, (next) => addressOf(list, { sort: next }), first);
  return (
    <Table
      label="URLs"
      isDense
      rows={links}
      columns={[
        {
          head: "URL",
          sort: by("url"),
          cell: ({ link }) => (
            <a class="url" href={`${PATHS.projects}/${project.id}/links/${link.id}`}>
              <UrlText url={link.url} />
            </a>
          ),
        },
        {
          head: "Status",
          sort: by("status"),
          isPlain: true,
          cell: ({ evidence }) => (
            <span class={`state sentence state-${evidence.finding}`}>{stateSentence(evidence)}</span>
          ),
        },
        { head: "No.", sort: by("submitted"), isNumber: true, cell: ({ position }) => formatNumber(position + 1) },
        { head: "Sent", cell: ({ link }) => <Sent link={link} /> },
        { head: "Last check", sort: by("checked", "descending"), cell: ({ link }) => <Day at={link.checked_at} /> },
        { head: "Next check", cell: ({ link }) => <NextCheck at={link.next_check_at} now={now} /> },
      ]}
    />
  );
}

/** When the URL was sent, or will be. URLs of checks are never sent. */
function Sent({ link }: Pick<ListedLink, "link">): VNode {
  const isPlanned = link.credits !== null && link.status === "waiting";
  if (!isPlanned) return <Day at={link.sent_at} />;
  return (
    <>
      <span class="soft">planned</span> <Day at={link.scheduled_at} />
    </>
  );
}

function NextCheck({ at, now }: { at: string | null; now: number }): VNode {
  if (at === null) return <Nothing />;
  const time = Date.parse(at);
  return <RelativeTime at={time} now={now} due="due now" />;
}

function NothingFound(list: List): VNode {
  const { search, page } = list;
  if (page > 1)
    return (
      <p>
        There are no more URLs. <a href={addressOf(list, {})}>Back to the first page</a>
      </p>
    );
  if (search === "") return <p>No URL has this status.</p>;
  return (
    <p>
      No URL here contains “<bdi>{search}</bdi>”.{" "}
      <a href={addressOf(list, { search: "", status: "" })}>Show all URLs</a>
    </p>
  );
}
