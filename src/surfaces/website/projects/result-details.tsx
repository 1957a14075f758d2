import type { VNode } from "preact";
import type getReport from "../../../../tools/get-report.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { Project } from "./domain.ts";
import { ENGINE_NAMES } from "./evidence-words.ts";
import { linksPath } from "./link-query.ts";
import { type Kind, partsOf } from "./link-states.ts";

type Report = AnswerOf<typeof getReport>;

interface DetailsProps {
  readonly project: Project;
  readonly report: Report;
}

/** Whether crawlers came since the URLs were sent. */
export function Crawled({ project, report: { crawled, bing, searchers } }: DetailsProps): VNode {
  const engines = (["google", "bing"] as const).filter((one) => crawled[one].fetched + crawled[one].not_fetched > 0);
  const since = project.kind === "index" ? " since they were sent" : "";
  return (
    <section class="panel" id="crawled" data-live-part>
      <h2>Whether crawlers came</h2>
      {engines.length === 0 && (
        <p>
          Not known. It is known for sites that are <a href={PATHS.sites}>connected</a> to Search Console or Bing.
        </p>
      )}
      {engines.map((engine) => {
        const { fetched, not_fetched: notFetched, unknown } = crawled[engine];
        const path = (word: string) => linksPath(project.id, { crawl: `${engine}-${word}` });
        return (
          <p key={engine}>
            {ENGINE_NAMES[engine]} has fetched <a href={path("yes")}>{formatNumber(fetched)}</a> of{" "}
            {formatCount(fetched + notFetched + unknown, "URL")}
            {since}, and has not fetched <a href={path("no")}>{formatNumber(notFetched)}</a>
            {unknown > 0 && (
              <>
                ; for <a href={path("unknown")}>{formatNumber(unknown)}</a> this is not known
              </>
            )}
            .
          </p>
        );
      })}
      {bing && (
        <p>
          Of the URLs on connected sites, Bing has {formatNumber(bing.indexed)} and does not have{" "}
          {formatNumber(bing.not_indexed)}; for {formatNumber(bing.unknown)} its answer is unclear. No credits depend on
          this.
        </p>
      )}
      {searchers?.map(({ agent, pages, pages_unverified: unverified, last_at: lastAt }) => (
        <p key={agent}>
          {agent}: {formatCount(pages, "page")} visited
          {lastAt !== null && (
            <>
              , last <Day at={lastAt} />
            </>
          )}
          {unverified > 0 && (
            <span class="soft">; {formatNumber(unverified)} by somebody who only claims to be it</span>
          )}
        </p>
      ))}
    </section>
  );
}

/** Most rows of a table of hosts or folders. */
const MOST = 10;

/** Hosts and folders, the ones first that do worse than the others; nothing where all URLs are in one. */
export function Places({ project, report }: DetailsProps): VNode | null {
  const hosts = report.by_host.map((row) => ({ ...row, name: row.host }));
  const folders = report.by_folder.map((row) => ({ ...row, name: row.folder }));
  if (folders.length < 2) return null;
  const tables = (
    <>
      {hosts.length > 1 && <PlaceTable project={project} head="Host" rows={hosts} />}
      <PlaceTable project={project} head="Folder" rows={folders} />
    </>
  );
  const hurts = [...hosts, ...folders].some(({ differs }) => differs === "worse");
  return (
    <section id="places" data-live-part>
      {hurts ? (
        <>
          <h2>Where it hurts</h2>
          {tables}
        </>
      ) : (
        <details>
          <summary>URLs by host and folder</summary>
          {tables}
        </details>
      )}
    </section>
  );
}

type Place = Omit<Report["by_host"][number], "host"> & { readonly name: string };

function PlaceTable({ project, head, rows }: { project: Project; head: string; rows: readonly Place[] }): VNode {
  const isWorse = ({ differs }: Place) => differs === "worse";
  const shown = [...rows.filter(isWorse), ...rows.filter((row) => !isWorse(row))].slice(0, MOST);
  return (
    <>
      <Table
        label={`URLs by ${head.toLowerCase()}`}
        rows={shown}
        columns={[
          {
            head,
            cell: ({ name }) => (
              <a class="url" href={linksPath(project.id, { search: name.slice(0, SIZES.search) })}>
                <UrlText url={name} most={100} />
              </a>
            ),
          },
          { head: "Results", cell: (row) => <StateBar parts={partsOf(row, project.kind as Kind)} /> },
          {
            head: "In Google",
            isOneLine: true,
            cell: ({ indexed, total }) => `${formatNumber(indexed)} of ${formatNumber(total)}`,
          },
          { head: "Compared", cell: ({ differs }) => <Compared differs={differs} /> },
        ]}
      />
      {rows.length > shown.length && (
        <p class="soft">and {formatNumber(rows.length - shown.length)} more, in the report that can be downloaded</p>
      )}
    </>
  );
}

function Compared({ differs }: Pick<Place, "differs">): VNode {
  if (differs === null) return <span class="soft">like the others</span>;
  return <strong>{differs} than the others</strong>;
}
