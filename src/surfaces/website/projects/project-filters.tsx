import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";

/** How many projects are of a kind and have a status. */
export interface Count {
  readonly kind: string;
  readonly status: string;
  readonly n: number;
}

const KINDS = [
  ["all", "All"],
  ["index", "Indexing"],
  ["check", "Checks"],
] as const;

const STATUSES = [
  ["any", "Any status"],
  ["active", "Active"],
  ["completed", "Completed"],
] as const;

const ARCHIVED = [
  ["hide", "Current"],
  ["only", "Archived"],
] as const;

interface ProjectFiltersProps {
  readonly kind: string;
  readonly status: string;
  readonly archived: string;
  readonly counts: readonly Count[];
  /** The address of the list with other parameters. */
  readonly addressOf: (change: Readonly<Record<string, string>>) => string;
}

/** Links that filter the list of projects, each with how many it shows. */
export function ProjectFilters({ kind, status, archived, counts, addressOf }: ProjectFiltersProps): VNode {
  const countOf = (kind: string, status: string) =>
    counts
      .filter((one) => (kind === "all" || one.kind === kind) && (status === "any" || one.status === status))
      .reduce((sum, { n }) => sum + n, 0);
  return (
    <>
      <nav class="filters" aria-label="Projects by kind">
        {KINDS.map(([value, label]) => (
          <a key={value} href={addressOf({ kind: value })} aria-current={value === kind ? "true" : undefined}>
            {label} {formatNumber(countOf(value, status))}
          </a>
        ))}
      </nav>
      <nav class="filters" aria-label="Projects by status">
        {STATUSES.map(([value, label]) => (
          <a key={value} href={addressOf({ status: value })} aria-current={value === status ? "true" : undefined}>
            {label} {formatNumber(countOf(kind, value))}
          </a>
        ))}
      </nav>
      <nav class="filters" aria-label="Archived projects">
        {ARCHIVED.map(([value, label]) => (
          <a key={value} href={addressOf({ archived: value })} aria-current={value === archived ? "true" : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
