import { z } from "zod";
import { type ConnectionKind, type ConnectionRow, propertiesIn } from "../../domain/connections/connections.ts";
import { cut } from "../../platform/text.ts";

/** Properties that are named, and characters of a name; an agency may have a thousand. */
const NAMED = 5;
const NAME_LENGTH = 100;

/** The access of an account to its own Search Console or Bing Webmaster account. Open: fields may be added. */
export const Connection = z
  .object({
    object: z.literal("connection"),
    id: z.string(),
    kind: z.enum(["search_console", "bing_webmaster"]),
    name: z.string(),
    status: z.enum(["active", "failing"]),
    failure: z.string().nullable(),
    properties: z.array(z.string()),
  })
  .meta({ id: "Connection" });

/** Nothing of the token or key is in it. */
export function presentConnection(row: ConnectionRow): z.output<typeof Connection> {
  const properties = propertiesIn(row);
  return {
    object: "connection",
    id: row.id,
    kind: row.kind as ConnectionKind,
    name: row.name,
    status: row.failingSince === null ? "active" : "failing",
    failure: row.failure,
    properties: properties.slice(0, NAMED).map(({ name }) => cut(name, NAME_LENGTH)),
  };
}
