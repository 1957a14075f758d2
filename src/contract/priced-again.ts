import { requireScope } from "../domain/credentials/may-act.ts";
import { findProject } from "../domain/projects/find.ts";
import { resubmissionOf, type Selection, sameSettings } from "../domain/projects/resubmit.ts";
import { Refusal } from "../platform/errors/errors.ts";
import type { CallContext } from "./context.ts";

/**
 * How many URLs of a project `resubmit` would take now, and in which mode.
 * @throws Refusal not_found, also without a credential; insufficient_scope, for whoever may not call resubmit; invalid_request
 */
export async function pricedAgain(
  { db, principal }: Pick<CallContext, "db" | "principal">,
  projectId: string,
  selection: Selection,
) {
  if (!principal) throw new Refusal("not_found", "A project is priced for its own account. Send its credential.");
  requireScope(principal, "index");
  const project = await findProject(db, principal.accountId, projectId);
  const { urls } = await resubmissionOf(db, project, selection);
  const { mode: kind } = sameSettings(project);
  return { kind, urls: urls.length, invalid: 0, duplicates: 0, invalid_examples: [] as string[] };
}
