import { TOOLSETS, type Toolset } from "../../contract/operation.ts";
import { Refusal } from "../../platform/errors/errors.ts";

/** The toolsets that are listed where a client asks for none. They are few, since a model reads them with every conversation. */
export const DEFAULT_TOOLSETS: ReadonlySet<Toolset> = new Set(["jobs", "credits", "sites"]);

/**
 * The toolsets in a list with commas between them, such as `jobs,webhooks`; an empty list is the default.
 * @throws Refusal invalid_request for a name that there is none of
 */
export function toolsetsIn(list: string | null): ReadonlySet<Toolset> {
  const names = (list ?? "").split(",").flatMap((name) => name.trim() || []);
  if (names.length === 0) return DEFAULT_TOOLSETS;
  for (const name of names) {
    if ((TOOLSETS as readonly string[]).includes(name)) continue;
    const message = `has a name that is none of ${TOOLSETS.join(", ")}`;
    throw new Refusal("invalid_request", `\`toolsets\` ${message}.`, { issues: [{ path: "toolsets", message }] });
  }
  return new Set(names as Toolset[]);
}
