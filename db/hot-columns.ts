import type { LinkPatch, NewStep } from "./engine.ts";

/** Columns by the names the hot statements of both dialects are given them by. */
export const STEP_COLUMNS = {
  bucket: "bucket",
  projectNo: "project_no",
  lane: "lane",
  action: "action",
  look: "look",
  negatives: "negatives",
  tries: "tries",
  availableMs: "available_ms",
  lookedAt: "looked_at",
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
