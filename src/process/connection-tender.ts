import type { Services } from "../contract/call.ts";
import { tendConnections } from "../indexing/connections/read-properties.ts";
import { MINUTE } from "../platform/clock.ts";
import type { Log } from "./log.ts";
import { startRecurring } from "./scheduler/recurring.ts";

/** Looks at the connections of accounts, and revokes the ones that were ended. A sandbox has none. */
export function startConnectionTender(
  services: Pick<Services, "db" | "http" | "clock" | "config">,
  log: Log,
): () => Promise<void> {
  const { db, config } = services;
  if (config.mode !== "live") return async () => undefined;
  return startRecurring(db, {
    job: "connections",
    node: config.nodeName,
    periodMs: MINUTE,
    firstMs: MINUTE,
    work: () => tendConnections(services),
    failed: (err) => log.error({ err }, "connections could not be looked at; retrying in a minute"),
  });
}
