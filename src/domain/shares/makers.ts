import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import type { Principal, Scope } from "../../platform/principal.ts";
import { isMemberWith } from "../../platform/roles.ts";
import { makerWhoMayAct } from "../credentials/may-act.ts";

type Made = Pick<Schema["shares"]["$inferSelect"], "accountId" | "maker">;

/** The scopes that sharing needs, for as long as the share is there. */
const SHARING: readonly Scope[] = ["index", "read"];

/** Whoever made a share, as long as they may share; null: it has ended with them. */
export async function sharerOf(db: Reader, { accountId, maker }: Made, now: number): Promise<Principal | null> {
  const principal = await makerWhoMayAct(db, { accountId, maker }, { scopes: SHARING, now });
  if (principal?.credential.type === "session" && !isMemberWith(principal, "share")) return null;
  return principal;
}

/** The shares that have not ended with their makers, which no transaction notices where a key's last day has passed. */
export async function maySeeBy<Row extends Made>(db: Reader, rows: readonly Row[], now: number): Promise<Row[]> {
  const known = new Map<string, boolean>();
  for (const row of rows) if (!known.has(row.maker)) known.set(row.maker, (await sharerOf(db, row, now)) !== null);
  return rows.filter(({ maker }) => known.get(maker));
}
