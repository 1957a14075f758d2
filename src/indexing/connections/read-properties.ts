import { type ConnectionRow, connectionById, type Property } from "../../domain/connections/connections.ts";
import { dueConnections, lookAt, recordFailing, recordProperties } from "../../domain/connections/properties.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import { propertiesOfToken } from "../engines/live/google/properties.ts";
import { bingSites } from "../engines/live/submit/bing-webmaster.ts";
import { UpstreamFailure } from "../providers/failure.ts";
import { type ConnectionDeps, type Workbench, workbenchOf } from "./deps.ts";
import { revokeEnded } from "./end.ts";

/** How long the other side may be silent before the connection counts as failing. */
const PATIENCE = 3 * DAY;

/**
 * Reads the properties of every connection once a day, sooner where one was refused, and revokes what was ended. Runs every
 * minute.
 */
export async function tendConnections(deps: ConnectionDeps): Promise<void> {
  await revokeEnded(deps);
  const bench = workbenchOf(deps);
  for (const row of await dueConnections(bench.db, deps.clock.now())) await look(bench, row);
}

async function look(bench: Workbench, row: ConnectionRow): Promise<void> {
  const { db, api } = bench;
  const { id } = row;
  const now = api.clock.now();
  try {
    const properties = await propertiesNow(bench, row);
    await db.tx((tx) => recordProperties(tx, id, properties, now));
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    await recordSilence(bench, row, thrown, now);
  }
}

async function propertiesNow({ api }: Workbench, { id, kind }: ConnectionRow): Promise<Property[]> {
  const connections = api.connections!;
  if (kind === "bing_webmaster") return bingSites(api, await connections.key(id, "bing_webmaster"));
  const token = await connections.token(id, "search_console");
  return propertiesOfToken(api, token);
}

async function recordSilence({ db }: Workbench, row: ConnectionRow, failure: UpstreamFailure, now: number) {
  const { id, kind, checkedAt, createdAt, failingSince } = row;
  // Getting a token has marked it already, where Google takes the refresh token no more.
  const before = await connectionById(db, id);
  if (!before || (failingSince === null && before.failingSince !== null)) return;
  // Of Google, "unauthorized" is about the operator's client; of Bing, about the key.
  const isRevoked = kind === "bing_webmaster" && failure.kind === "unauthorized";
  const isSilent = now - (checkedAt ?? createdAt) >= PATIENCE;
  await db.tx((tx) =>
    isRevoked || isSilent
      ? recordFailing(tx, id, isRevoked ? "access_revoked" : "no_answer", now)
      : lookAt(tx, id, now + HOUR),
  );
}
