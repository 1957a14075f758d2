import { getTableColumns, type Table } from "drizzle-orm";
import type { LinkPatch, LinkRow, NewStep, StepRow } from "./engine.ts";
import { ACTIONS, CHECK_STAGES, LANES, numberOf } from "./words.ts";

/** A column as the hot statements name it. */
export interface HotColumn {
  readonly name: string;
  readonly type: string;
}

/** The columns that a new step has, by the names of their properties. */
export function stepColumns({ steps }: Tables): Readonly<Record<keyof NewStep, HotColumn>> {
  const { id, lease, leaseUntil, intentAt, ...columns } = columnsOf<StepRow>(steps);
  return columns;
}

/** The columns of a link that work changes, by the names of their properties. */
export function linkColumns({ links }: Tables): Readonly<Record<keyof LinkPatch, HotColumn>> {
  const { id, bucket, url, ...columns } = columnsOf<LinkRow>(links);
  return columns;
}

/** The tables of either dialect. */
interface Tables {
  readonly steps: Table;
  readonly links: Table;
}

function columnsOf<Row>(table: Table): Record<keyof Row, HotColumn> {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    columns.map(([key, column]) => [key, { name: column.name, type: column.getSQLType() }]),
  ) as Record<keyof Row, HotColumn>;
}

/** The step as stored, with numbers instead of words. */
export function withNumbers(step: NewStep) {
  const { lane, action, stage } = step;
  return {
    ...step,
    lane: numberOf(LANES, lane),
    action: numberOf(ACTIONS, action),
    stage: numberOf(CHECK_STAGES, stage),
  };
}

type StoredStep = Omit<StepRow, "lane" | "action" | "stage"> & { lane: number; action: number; stage: number };

/** Replaces the numbers of stored steps by words, in place. */
export function withWords(rows: StoredStep[]): StepRow[] {
  return rows.map((row) =>
    Object.assign(row, { lane: LANES[row.lane]!, action: ACTIONS[row.action]!, stage: CHECK_STAGES[row.stage]! }),
  );
}
