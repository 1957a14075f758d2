import type { LinkPatch, NewStep, StepRow } from "./engine.ts";
import { ACTIONS, CHECK_STAGES, LANES, numberOf } from "./words.ts";

/** Column names by the property names of steps and links, for the hot statements of both dialects. */
export const STEP_COLUMNS = {
  bucket: "bucket",
  projectNo: "project_no",
  lane: "lane",
  action: "action",
  stage: "look",
  negatives: "negatives",
  tries: "tries",
  availableMs: "available_ms",
  checkedAt: "looked_at",
  priority: "priority",
  dueAt: "due_at",
  first: "first",
  members: "members",
  size: "size",
} as const satisfies Record<keyof NewStep, string>;

export const LINK_COLUMNS = {
  state: "state",
  error: "error",
  sentAt: "sent_at",
  indexedAt: "indexed_at",
  cancelledAt: "cancelled_at",
  warnings: "warnings",
} as const satisfies Record<keyof LinkPatch, string>;

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
