import { findProject } from "../domain/projects/find.ts";
import type { ProjectRow } from "../domain/projects/read.ts";
import type { Awaitable } from "../platform/awaitable.ts";
import { accountOf, type CallContext } from "./context.ts";

type AnyContext = CallContext<never> | CallContext;

const read = new WeakMap<AnyContext, { readonly id: string; readonly project: Awaitable<ProjectRow> }>();

/**
 * The caller's project, read once in a call: the version of an answer and the answer itself are then of the same row, and on
 * PostgreSQL a round trip is spared.
 * @throws Refusal not_found, also for a project of another account
 */
export function ownProject(ctx: AnyContext, id: string): Awaitable<ProjectRow> {
  const known = read.get(ctx);
  if (known?.id === id) return known.project;
  const project = findProject(ctx.db, accountOf(ctx), id);
  read.set(ctx, { id, project });
  return project;
}
