import type { ProviderSettings } from "../../../platform/config/config.ts";
import type { ProviderSettingName } from "../../../platform/config/provider-settings.ts";

/** A row of a table of providers. The table is keyed by name and in the default order of preference. */
export interface Provider {
  /** The settings that the provider needs, all of them. `off` counts as not set. */
  readonly settings: readonly ProviderSettingName[];
  readonly about: string;
  /** Used only when ENGINES names it. */
  readonly byNameOnly?: boolean;
}

/**
 * The providers of a table that are used, in order of preference.
 * @param names null: every provider whose settings are set. Otherwise the named providers, in that order, whose settings are
 * set as well; names of other tables are ignored
 */
export function selectProviders<P extends Provider>(
  table: Readonly<Record<string, P>>,
  names: readonly string[] | null,
  settings: ProviderSettings,
): P[] {
  const isConfigured = (row: P) => row.settings.every((name) => ![undefined, "off"].includes(settings[name]));
  if (names === null) return Object.values(table).filter((row) => !row.byNameOnly && isConfigured(row));
  return names.filter((name) => Object.hasOwn(table, name)).map((name) => table[name]!);
}
