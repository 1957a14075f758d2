import type { Config } from "../../platform/config/config.ts";
import type { Check } from "./check.ts";

/** Variables that were probably meant as settings, and are none: what they switch on is off. */
export async function checkSettings({ misspelt }: Pick<Config, "misspelt">): Promise<Check> {
  const name = "Settings";
  if (misspelt.length === 0) return { name, ok: true, found: "every variable that looks like a setting is one" };
  const listed = misspelt.map(({ written, meant }) => `${written}, which is probably ${meant}`).join("; ");
  const remedy = "Correct the name, or remove the variable. docs/settings.md lists all settings.";
  return { name, ok: false, severity: "warning", found: `not read: ${listed}`, remedy };
}
