import { and, asc, eq, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { SEARCH_SERVICES, type SearchService } from "../../platform/search-services.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import type { EventData } from "../events/types.ts";

/**
 * Connections: the access that an account has given to its own Search Console or Bing Webmaster account. A person makes and
 * ends them. Times are real.
 */
export type ConnectionKind = SearchService;

export type ConnectionRow = Schema["connections"]["$inferSelect"];
export type ConnectionFailure = EventData["connection.failing"]["reason"];

/** A property of Search Console, or a site of Bing Webmaster Tools, as it is called there. */
export interface Property {
  readonly name: string;
  /** `siteOwner`, `siteFullUser`, `siteRestrictedUser` or `siteUnverifiedUser`; at Bing `verified` or `unverified`. */
  readonly permission: string;
}

export const WRITE_SCOPE = "https://www.googleapis.com/auth/webmasters";

export function propertiesIn({ properties }: Pick<ConnectionRow, "properties">): readonly Property[] {
  return JSON.parse(properties);
}

/** Whether sitemaps may be handed over by it. */
export function takesSitemaps({ scopes }: Pick<ConnectionRow, "scopes">): boolean {
  return scopes.split(" ").includes(WRITE_SCOPE);
}

/** The connections of an account, the oldest first. */
export async function connectionsOf({ q, t: { connections } }: Reader, accountId: string): Promise<ConnectionRow[]> {
  const isIts = and(eq(connections.accountId, accountId), isNull(connections.endedAt));
  return q.select().from(connections).where(isIts).orderBy(asc(connections.createdAt), asc(connections.id));
}

/** A connection that was not ended, of any account. */
export async function connectionById({ q, t: { connections } }: Reader, id: string): Promise<ConnectionRow | null> {
  const [row] = await q
    .select()
    .from(connections)
    .where(and(eq(connections.id, id), isNull(connections.endedAt)));
  return row ?? null;
}

export function secretOf(box: SecretBox, { id, sealedSecret }: ConnectionRow): string {
  return box.open(sealedSecret, sealedFieldOf(id));
}

export function sealedFieldOf(row: string): SealedField {
  return { table: "connections", row, column: "sealed_secret" };
}

/** A connection as the security log names it. */
export function shownName({ kind, name }: { kind: string; name: string }): string {
  return `${SEARCH_SERVICES[kind as ConnectionKind]}: ${name}`;
}
