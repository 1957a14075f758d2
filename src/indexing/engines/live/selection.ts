import type { ProviderSettings } from "../../../platform/config/config.ts";

/** A row of a table of providers, by name and in the default order of preference. */
export interface Provider {
  /** The setting it needs, or those that it needs together. */
  readonly setting: string;
  readonly about: string;
  /** Used only when ENGINES names it. */
  readonly byNameOnly?: boolean;
  isSet(settings: ProviderSettings): boolean;
}

/**
 * The providers of a table that are used, in order of preference.
 * @param names null: every provider whose setting is set. Otherwise those named, in that order; names of other tables are
 * ignored
 * @throws Error naming the setting that a named provider lacks
 */
export function selectProviders<P extends Provider>(
  table: Readonly<Record<string, P>>,
  names: readonly string[] | null,
  settings: ProviderSettings,
): P[] {
  if (names === null) return Object.values(table).filter((row) => !row.byNameOnly && row.isSet(settings));
  return names
    .filter((name) => Object.hasOwn(table, name))
    .map((name) => {
      const row = table[name]!;
      if (!row.isSet(settings)) throw new Error(`ENGINES names ${name}, which needs ${row.setting}`);
      return row;
    });
}
