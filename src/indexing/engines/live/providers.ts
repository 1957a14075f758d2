import type { Config } from "../../../platform/config/config.ts";
import { LOOKUP_PROVIDERS } from "./lookup/index.ts";
import { selectProviders } from "./selection.ts";
import { SUBMISSION_PROVIDERS } from "./submit/index.ts";

/** The providers that ENGINES names. Null stands for every provider whose setting is set. */
export function namesOf(engines: readonly string[]): readonly string[] | null {
  return engines[0] === "live" ? null : engines;
}

/** Whether a provider in use hands Google whole sitemaps, so that no page of them can be kept from it. */
export function takesSitemaps({ mode, engines, providers }: Pick<Config, "mode" | "engines" | "providers">): boolean {
  if (mode === "sandbox") return false;
  return selectProviders(SUBMISSION_PROVIDERS, namesOf(engines), providers).some((row) => row.takesSitemaps);
}

/** What a live service lacks for its work, one sentence each. */
export function gapsOf({ engines, providers }: Pick<Config, "engines" | "providers">): string[] {
  const names = namesOf(engines);
  const canSubmit = selectProviders(SUBMISSION_PROVIDERS, names, providers).some(({ lane }) => lane === "google");
  const canLookUp = selectProviders(LOOKUP_PROVIDERS, names, providers).length > 0;
  return [
    ...(canSubmit ? [] : ["no provider can submit to Google: every link fails, its credits come back"]),
    ...(canLookUp ? [] : ["no provider can look pages up: every link is unverifiable, its credits come back"]),
  ];
}
