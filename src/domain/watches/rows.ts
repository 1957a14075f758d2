import type { Schema } from "../../../db/schema.ts";
import type { WatchSettings } from "./settings.ts";

export type WatchRow = Schema["watches"]["$inferSelect"];

/** The settings in a row. */
export function settingsOf(row: WatchRow): WatchSettings {
  const { include, exclude } = row;
  return { ...(row as unknown as WatchSettings), include: JSON.parse(include), exclude: JSON.parse(exclude) };
}
