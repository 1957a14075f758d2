import type { VNode } from "preact";
import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import { formatNumber, formatPercent } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { type Column, type ColumnSort, Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { columnSort, listAddress } from "../shell/list-query.ts";
import { linksPath } from "./link-query.ts";
import type { ListedProject } from "./project-list.ts";

interface ProjectTableProps {
  readonly projects: readonly ListedProject[];
  /** Absent: the heads are no links. */
  readonly sort?: { readonly current: string; readonly addressOf: (sort: string) => string };
}

/** Projects, each with how many of its URLs are in Google. */
export function ProjectTable({ projects, sort }: ProjectTableProps): VNode {
  const by = (word: string, first?: "descending"): { sort?: ColumnSort } =>
    sort ? { sort: columnSort(sort.current, word, sort.addressOf, first) } : {};
  const columns: Column<ListedProject>[] = [
    { head: "Project", ...by("name"), cell: (listed) => <Name {...listed} /> },
    { head: "Kind", isPlain: true, cell: ({ project }) => (project.kind === "check" ? "Check" : "Indexing") },
    {
      head: "Status",
      isPlain: true,
      cell: ({ project, archived }) =>
        `${project.status === "active" ? "Active" : "Completed"}${archived ? ", archived" : ""}`,
    },
    { head: "Progress", isPlain: true, cell: (listed) => <Progress {...listed} /> },
    {
      head: FINDING_LABELS.indexed,
      ...by("indexed", "descending"),
      isOneLine: true,
      cell: (listed) => <InGoogle {...listed} />,
    },
    { head: "Credits", isOneLine: true, cell: (listed) => <Credits {...listed} /> },
    ...(projects.some((listed) => listed.by !== null)
      ? [{ head: "By", cell: (listed: ListedProject) => listed.by ?? <Nothing /> }]
      : []),
    { head: "Created", ...by("created", "descending"), cell: ({ project }) => <Day at={project.created_at} /> },
  ];
  return <Table label="Projects" isDense rows={projects} columns={columns} />;
}

/** The most tags of a row. */
const SHOWN_TAGS = 3;

function Name({ project: { id, name }, tags }: ListedProject): VNode {
  const more = tags.length - SHOWN_TAGS;
  return (
    <div class="name one-line" title={name}>
      <a href={`${PATHS.projects}/${id}`}>
        <bdi>{name}</bdi>
      </a>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Tag key={tag} tag={tag} />
      ))}
      {more > 0 && <span class="soft"> +{more}</span>}
    </div>
  );
}

/** A tag, which leads to all projects that have it. */
export function Tag({ tag }: { tag: string }): VNode {
  return (
    <a class="tag" href={listAddress(PATHS.projects, { tag })}>
      <bdi>{tag}</bdi>
    </a>
  );
}

function Progress({ project, inGoogle, gone, open, others }: ListedProject): VNode {
  const parts = [
    { state: "indexed", label: "in Google", count: inGoogle },
    { state: "gone", label: "gone", count: gone },
    { state: "not_indexed", label: project.kind === "check" ? "not there" : "not there or not sent", count: others },
    { state: "checking", label: "still open", count: open },
  ];
  return <StateBar parts={parts} />;
}

/** In Google now, of all its URLs: the rate of its page. Before the last check the rest may still be found, so no share is said. */
function InGoogle({ project: { id, counts, status }, inGoogle }: ListedProject): VNode {
  return (
    <>
      <a href={linksPath(id, { status: "indexed" })}>{formatNumber(inGoogle)}</a> of {formatNumber(counts.total)}
      <span class="soft">{status === "active" ? " so far" : ` (${formatPercent(inGoogle, counts.total)})`}</span>
    </>
  );
}

function Credits({ project: { credits_spent: spent, credits_returned: returned } }: ListedProject): VNode {
  return (
    <>
      {formatNumber(spent)}
      {returned > 0 && <span class="soft">, {formatNumber(returned)} back</span>}
    </>
  );
}
