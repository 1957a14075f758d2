import { requireScope } from "../domain/credentials/may-act.ts";
import { costOf, type Mode } from "../domain/ledger/costs.ts";
import { countUrls, tooMany } from "../domain/projects/accept.ts";
import { findProject } from "../domain/projects/find.ts";
import { resubmissionOf, type Selection, sameSettings } from "../domain/projects/resubmit.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { SIZES } from "../platform/sizes.ts";
import type { CallContext } from "./context.ts";
import type { UrlItems } from "./params.ts";
import { estimateHoldout } from "./submit.ts";

type Caller = Pick<CallContext, "db" | "config" | "principal">;

interface NewUrls {
  readonly kind: Mode | "check";
  readonly urls?: UrlItems | undefined;
  /** How many, where they are not named; default 1. */
  readonly count?: number | undefined;
  /** Percentage to hold out. */
  readonly percent?: number | undefined;
}

/** What new URLs would cost. @throws Refusal too_many_urls, invalid_request, holdout_not_possible */
export async function pricedNew({ kind, urls, count = 1, percent }: NewUrls, ctx: Caller) {
  const { accepted, invalid, duplicates, invalidExamples } = countUrls(urls ?? []);
  const counted = urls ? accepted.length : count;
  if (counted > SIZES.urlsPerSubmission) throw tooMany(counted);
  const priced = { kind, urls: counted, invalid, duplicates, invalid_examples: invalidExamples };
  if (percent === undefined) return { ...priced, credits: costOf(kind, counted) };
  const of = { urls: urls ? accepted : null, count: counted, accountId: ctx.principal?.accountId };
  const experiment = await estimateHoldout(ctx, { kind, percent, ...of });
  return { ...priced, credits: costOf(kind, experiment.sent) + experiment.credits, experiment };
}

/**
 * What `resubmit` of a project would cost now.
 * @throws Refusal not_found, also without a credential; insufficient_scope, for whoever may not call resubmit; invalid_request
 */
export async function pricedAgain({ db, principal }: Caller, projectId: string, selection: Selection) {
  if (!principal) throw new Refusal("not_found", "A project is priced for its own account. Send its credential.");
  requireScope(principal, "index");
  const project = await findProject(db, principal.accountId, projectId);
  const { urls } = await resubmissionOf(db, project, selection);
  const { mode: kind } = sameSettings(project);
  const none = { invalid: 0, duplicates: 0, invalid_examples: [] as string[] };
  return { kind, urls: urls.length, ...none, credits: costOf(kind, urls.length) };
}
