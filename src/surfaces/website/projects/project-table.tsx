import type { VNode } from "preact";
import type { PROJECT_SORTS } from "../../../domain/projects/list-order.ts";
import type { ProjectRow } from "../../../domain/projects/read.ts";
import type { LINK_STATES } from "../../../domain/projects/states.ts";
import { formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { type Column, type ColumnSort, Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { columnSort } from "../shell/list-query.ts";
import { STATUS_LABELS } from "./link-states.ts";

interface ProjectTableProps {
  readonly projects: readonly ProjectRow[];
  /** Absent: the heads are no links. */
  readonly sort?: { readonly current: string; readonly addressOf: (sort: string) => string };
}

/** Projects, each with how far it is. */
export function ProjectTable({ projects, sort }: ProjectTableProps): VNode {
  const by = (word: (typeof PROJECT_SORTS)[number], first?: "descending"): { sort?: ColumnSort } =>
    sort ? { sort: columnSort(sort.current, word, sort.addressOf, first) } : {};
  const columns: Column<ProjectRow>[] = [
    { head: "Project", ...by("name"), cell: (project) => <Name project={project} /> },
    { head: "Kind", isPlain: true, cell: ({ kind }) => (kind === "check" ? "Check" : "Indexing") },
    { head: "Status", isPlain: true, cell: ({ status }) => (status === "active" ? "Active" : "Completed") },
    { head: "Progress", isPlain: true, cell: (project) => <Progress project={project} /> },
    { head: STATUS_LABELS.indexed, ...by("indexed", "descending"), isOneLine: true, cell: foundOf },
    {
      head: "Rate of decided",
      ...by("rate", "descending"),
      isOneLine: true,
      cell: (project) => <Rate project={project} />,
    },
    { head: "URLs", ...by("total", "descending"), isNumber: true, cell: ({ total }) => formatNumber(total) },
    { head: "Credits", isOneLine: true, cell: (project) => <Credits project={project} /> },
    { head: "Created", ...by("created", "descending"), cell: ({ createdAt }) => <Day at={createdAt} /> },
  ];
  return <Table label="Projects" isDense rows={projects} columns={columns} />;
}

function Name({ project: { id, name } }: { project: ProjectRow }): VNode {
  return (
    <div class="name one-line" title={name}>
      <a href={`${PATHS.projects}/${id}`}>
        <bdi>{name}</bdi>
      </a>
    </div>
  );
}

function Progress({ project }: { project: ProjectRow }): VNode {
  const { waiting, checking, indexed, notIndexed, failed } = project;
  const counts = { waiting, checking, indexed, not_indexed: notIndexed, failed };
  const order = [
    "indexed",
    "not_indexed",
    "failed",
    "checking",
    "waiting",
  ] as const satisfies (typeof LINK_STATES)[number][];
  return <StateBar parts={order.map((state) => ({ state, label: STATUS_LABELS[state], count: counts[state] }))} />;
}

/** Of all its URLs, since the rest of an active project may still be found. */
function foundOf({ indexed, total, status }: ProjectRow): string {
  return `${formatNumber(indexed)} of ${formatNumber(total)}${status === "active" ? " so far" : ""}`;
}

/** The index rate as the API answers it, with the number that it is a share of. */
function Rate({ project: { indexed, notIndexed } }: { project: ProjectRow }): VNode {
  const decided = indexed + notIndexed;
  if (decided === 0) return <Nothing />;
  return (
    <>
      {Math.round((1000 * indexed) / decided) / 10}% <span class="soft">of {formatNumber(decided)}</span>
    </>
  );
}

function Credits({ project: { creditsSpent, creditsReturned } }: { project: ProjectRow }): VNode {
  return (
    <>
      {formatNumber(creditsSpent)}
      {creditsReturned > 0 && <span class="soft">, {formatNumber(creditsReturned)} back</span>}
    </>
  );
}
