import type { VNode } from "preact";
import type listProjects from "../../../../tools/list-projects.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { type Column, type ColumnSort, Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { columnSort } from "../shell/list-query.ts";
import { STATUS_LABELS } from "./link-states.ts";

type Project = AnswerOf<typeof listProjects>["projects"][number];

interface ProjectTableProps {
  readonly projects: readonly Project[];
  /** Absent: the heads are no links. */
  readonly sort?: { readonly current: string; readonly addressOf: (sort: string) => string };
}

/** Projects, each with how far it is. */
export function ProjectTable({ projects, sort }: ProjectTableProps): VNode {
  const by = (word: string, first?: "descending"): { sort?: ColumnSort } =>
    sort ? { sort: columnSort(sort.current, word, sort.addressOf, first) } : {};
  const columns: Column<Project>[] = [
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
    { head: "URLs", ...by("total", "descending"), isNumber: true, cell: ({ counts }) => formatNumber(counts.total) },
    { head: "Credits", isOneLine: true, cell: (project) => <Credits project={project} /> },
    { head: "Created", ...by("created", "descending"), cell: (project) => <Day at={project.created_at} /> },
  ];
  return <Table label="Projects" isDense rows={projects} columns={columns} />;
}

function Name({ project: { id, name } }: { project: Project }): VNode {
  return (
    <div class="name one-line" title={name}>
      <a href={`${PATHS.projects}/${id}`}>
        <bdi>{name}</bdi>
      </a>
    </div>
  );
}

/** The states from left to right. */
const ORDER = ["indexed", "not_indexed", "failed", "checking", "waiting"] as const;

function Progress({ project: { counts } }: { project: Project }): VNode {
  return <StateBar parts={ORDER.map((state) => ({ state, label: STATUS_LABELS[state], count: counts[state] }))} />;
}

/** Of all its URLs, since the rest of an active project may still be found. */
function foundOf({ counts, status }: Project): string {
  return `${formatNumber(counts.indexed)} of ${formatNumber(counts.total)}${status === "active" ? " so far" : ""}`;
}

/** The index rate, with the number that it is a share of. Before the last check it says little: what is found is decided first. */
function Rate({ project: { index_rate: rate, counts, status } }: { project: Project }): VNode {
  if (rate === null || status === "active") return <Nothing />;
  return (
    <>
      {rate}% <span class="soft">of {formatNumber(counts.indexed + counts.not_indexed)}</span>
    </>
  );
}

function Credits({ project: { credits_spent: spent, credits_returned: returned } }: { project: Project }): VNode {
  return (
    <>
      {formatNumber(spent)}
      {returned > 0 && <span class="soft">, {formatNumber(returned)} back</span>}
    </>
  );
}
