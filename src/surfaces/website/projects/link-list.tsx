import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { Notice } from "../components/notice.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { SearchForm } from "../components/search-form.tsx";
import { Table } from "../components/table.tsx";
import { Day, RelativeTime } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { columnSort, listAddress } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Finding, type ListedLink, linksFor, type Project } from "./domain.ts";
import { LinkDownloads } from "./downloads.tsx";
import { ENGINE_NAMES, reasonSentence } from "./evidence-words.ts";
import { LIST_HASH, type LinkParameters, linksPath, presentIn, type WantedLinks, wantedLinks } from "./link-query.ts";
import { type Kind, MEANINGS, ORDER, resultOf, wordOf } from "./link-states.ts";

const PER_PAGE = 100;

interface List extends WantedLinks {
  readonly project: Project;
  /** How many of the links that match the search have each finding. */
  readonly counts: Readonly<Record<Finding, number>>;
  /** How many links fit. */
  readonly total: number;
  readonly links: readonly ListedLink[];
  readonly page: number;
  readonly hasMore: boolean;
  /** Service time. */
  readonly now: number;
}

/** The section of a project's page with its links: searched, filtered and sorted as the address asks, and downloads of them. */
export async function linkList(services: WebsiteServices, request: SignedInRequest, project: Project): Promise<VNode> {
  const wanted = wantedLinks(request);
  const { number, offset } = requestedPage(request, PER_PAGE);
  const { counts, positions, page } = await linksFor(services, project, wanted);
  const end = offset + PER_PAGE;
  const shown = { counts, total: positions.length, links: await page(offset, end), hasMore: positions.length > end };
  return <LinkList {...{ ...wanted, ...shown, project, page: number, now: services.clock.service() }} />;
}

function LinkList(list: List): VNode {
  const { project, search, parameters, problem, page, hasMore } = list;
  const path = `${PATHS.projects}/${project.id}`;
  const { search: _, ...others } = presentIn(parameters);
  return (
    <section id="urls">
      <h2>URLs</h2>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <SearchForm
        {...{ label: "Search these URLs", action: `${path}${LIST_HASH}`, search, query: others }}
        clear={listAddress(path, others, LIST_HASH)}
      />
      <div id="link-results" data-live-part>
        <Filters {...list} />
        <Chosen {...list} />
        {list.links.length > 0 ? <Links {...list} /> : <NothingFound {...list} />}
        <Pagination path={path} query={presentIn(parameters)} number={page} hasMore={hasMore} hash={LIST_HASH} />
        <LinkDownloads path={path} parameters={parameters} />
      </div>
    </section>
  );
}

function addressOf({ project, parameters }: List, change: LinkParameters): string {
  return linksPath(project.id, { ...parameters, ...change });
}

/** Links to the URLs of each finding that is there. */
function Filters(list: List): VNode {
  const { filter, counts, project } = list;
  const link = (finding: Finding | undefined, label: string, count: number) => (
    <a
      key={label}
      href={addressOf(list, { ...ANY_OUTCOME, status: finding ?? "" })}
      aria-current={finding === filter.finding ? "true" : undefined}
    >
      {label} {formatNumber(count)}
    </a>
  );
  const all = ORDER.reduce((sum, one) => sum + counts[one], 0);
  return (
    <nav class="filters" aria-label="URLs by result">
      {link(undefined, "All", all)}
      {ORDER.filter((one) => counts[one] > 0 || one === filter.finding).map((one) =>
        link(one, wordOf(one, project.kind as Kind), counts[one]),
      )}
    </nav>
  );
}

const ANY_OUTCOME: LinkParameters = { status: "", reason: "", found: "", crawl: "" };

/** What the list is limited to, in words. */
function Chosen(list: List): VNode | null {
  const { filter, project, total } = list;
  const { finding, reason, foundBy, crawl } = filter;
  const kind = project.kind as Kind;
  const limits = [
    finding && `${wordOf(finding, kind)}: ${MEANINGS[kind][finding]}`,
    reason && reasonSentence(reason),
    foundBy !== undefined && `First found by day ${foundBy} after sending`,
    crawl && crawlWords(crawl),
  ].filter(Boolean);
  if (limits.length === 0) return null;
  return (
    <p class="soft">
      {formatCount(total, "URL")}. {limits.map((limit) => `${limit}.`.replace(/\.\.$/, ".")).join(" ")}{" "}
      <a href={addressOf(list, ANY_OUTCOME)}>Show all</a>
    </p>
  );
}

function crawlWords({ engine, isFetched }: NonNullable<WantedLinks["filter"]["crawl"]>): string {
  const name = ENGINE_NAMES[engine];
  if (isFetched === null) return `It is not known whether ${name} has fetched them`;
  return `${isFetched ? "Fetched" : "Not fetched"} by ${name} since they were sent`;
}

function Links(list: List): VNode {
  const { project, links, now, sort } = list;
  const by = (word: string, first?: "descending") =>
    columnSort(sort, word, (next) => addressOf(list, { sort: next }), first);
  const sentCell = ({ link }: ListedLink) => <Sent link={link} />;
  const nextCell = ({ link }: ListedLink) => <NextCheck at={link.next_check_at} now={now} />;
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
        { head: "Result", sort: by("status"), isPlain: true, cell: ({ evidence }) => <Result {...{ evidence }} /> },
        { head: "No.", sort: by("submitted"), isNumber: true, cell: ({ position }) => formatNumber(position + 1) },
        ...(project.kind === "check" ? [] : [{ head: "Sent", cell: sentCell }]),
        { head: "Last check", sort: by("checked", "descending"), cell: ({ link }) => <Day at={link.checked_at} /> },
        ...(project.completedAt === null ? [{ head: "Next check", cell: nextCell }] : []),
      ]}
    />
  );
}

/** The word of the result, and why. */
function Result({ evidence }: Pick<ListedLink, "evidence">): VNode {
  const { word, more } = resultOf(evidence);
  return (
    <span class={`state sentence state-${evidence.finding}`}>
      <strong>{word}</strong>
      {more}
    </span>
  );
}

/** When the URL was sent, or will be. */
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
  if (search === "") return <p>No URL is like this.</p>;
  return (
    <p>
      No URL here contains “<bdi>{search}</bdi>”.{" "}
      <a href={addressOf(list, { ...ANY_OUTCOME, search: "" })}>Show all URLs</a>
    </p>
  );
}
