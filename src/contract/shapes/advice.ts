import { z } from "zod";
import type { Advice } from "../../domain/projects/advice.ts";

/** What a reason means and what one can do about it. */
export const ADVICE = {
  meaning: z.string(),
  cause: z.string(),
  next_step: z.string(),
  who: z.enum(["you", "time", "nobody"]),
  basis: z.enum(["documented", "observed"]),
  docs: z.string(),
};

type Shown = { [Name in keyof typeof ADVICE]: z.output<(typeof ADVICE)[Name]> };

/** @param siteUrl where the service's own documents are: a caller has no page to which a path could belong */
export function presentAdvice({ meaning, cause, nextStep, who, basis, docs }: Advice, siteUrl: string): Shown {
  return { meaning, cause, next_step: nextStep, who, basis, docs: docs.startsWith("/") ? `${siteUrl}${docs}` : docs };
}
