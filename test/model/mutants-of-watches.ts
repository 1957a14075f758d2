import type { Mutant } from "./mutated-model.ts";

/** Faults of watches that their model has to find. */
export const MUTANTS_OF_WATCHES: readonly Mutant[] = [
  {
    by: "watches",
    name: "a check of indexed pages is not counted in its month",
    file: "src/domain/watches/recheck.ts",
    from: "  const spentThisMonth = spentIn(watch, times.service) + cost;",
    to: "  const spentThisMonth = spentIn(watch, times.service);",
  },
  {
    by: "watches",
    name: "a page that is a link already is submitted again",
    file: "src/domain/watches/plan.ts",
    from: "new Set((await notSubmitted(db, accountId, urls)).urls)",
    to: "new Set(urls)",
  },
  {
    by: "watches",
    name: "a page that vanished before it was taken is no new one when it comes back",
    file: "src/domain/watches/apply-plan.ts",
    from: '? "gone_untaken" : "gone";',
    to: '? "gone" : "gone";',
  },
  {
    by: "watches",
    name: "changed pages stay changed once they are submitted",
    file: "src/domain/watches/apply-plan.ts",
    from: "  for (const pages of [plan.submit, plan.notify, plan.note, corrected])",
    to: "  for (const pages of [plan.note, corrected])",
  },
  {
    by: "watches",
    name: "more than five pages are taken, and not submitted",
    file: "src/domain/watches/commit-run.ts",
    from: "  if (plan.submit.length === 0) return null;",
    to: "  if (plan.submit.length === 0 || plan.submit.length > 5) return null;",
  },
];
