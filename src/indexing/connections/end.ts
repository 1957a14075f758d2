import { secretOf } from "../../domain/connections/connections.ts";
import { endedConnections, forgetConnection, isShared } from "../../domain/connections/end.ts";
import { DAY } from "../../platform/clock.ts";
import { Unsealable } from "../../platform/secret-box.ts";
import { revokeToken } from "../engines/live/own/google-oauth.ts";
import { type ConnectionDeps, type Workbench, workbenchOf } from "./deps.ts";

/** How long the revocation is tried. */
const TRIED_FOR = 7 * DAY;

/**
 * Revokes ended connections at Google, and deletes what is stored of them. One token stands for everything that a Google account has
 * given this service, so it is not revoked while another connection needs it. Bing has no call for this: its key is only deleted.
 * @param accountId null: of all accounts
 */
export async function revokeEnded(deps: ConnectionDeps, accountId: string | null = null): Promise<void> {
  const bench = workbenchOf(deps);
  for (const row of await endedConnections(bench.db, accountId)) {
    const isOver = deps.clock.now() - row.endedAt! > TRIED_FOR;
    if ((await isRevoked(bench, row)) || isOver) await bench.db.tx((tx) => forgetConnection(tx, row.id));
  }
}

async function isRevoked(
  { db, box, api }: Workbench,
  row: Awaited<ReturnType<typeof endedConnections>>[number],
): Promise<boolean> {
  if (row.kind !== "search_console" || (await isShared(db, row))) return true;
  try {
    return await revokeToken(api, secretOf(box, row));
  } catch (thrown) {
    if (thrown instanceof Unsealable) return true;
    throw thrown;
  }
}
