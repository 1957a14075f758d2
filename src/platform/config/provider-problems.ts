import { NEEDED_BY } from "./provider-names.ts";
import type { ProviderSettingName } from "./provider-settings.ts";
import type { Settings } from "./settings.ts";

/** Credentials with two parts, of which one alone is of no use. */
const PAIRS: readonly (readonly [ProviderSettingName, ProviderSettingName])[] = [
  ["DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
];

/** What is missing among the settings of providers, one sentence each. */
export function providerProblems(s: Settings): string[] {
  const isSet = (name: ProviderSettingName) => s[name] !== undefined && s[name] !== "off";
  const unnamed = s.ENGINES.flatMap((provider) => {
    const missing = (NEEDED_BY.get(provider) ?? []).filter((name) => !isSet(name));
    return missing.length === 0 ? [] : [`ENGINES names ${provider}, which needs ${missing.join(" and ")}`];
  });
  const halves = PAIRS.flatMap(([one, other]) => {
    if (isSet(one) === isSet(other)) return [];
    const [set, missing] = isSet(one) ? [one, other] : [other, one];
    return [`${missing}: missing, and ${set} is of no use without it`];
  });
  return [...unnamed, ...halves];
}
