import { readConfig } from "../../../src/platform/config/config.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import type { LogLine } from "./cluster.ts";

/** Ten days of the service pass in about 6 seconds. */
const SCALE = "150000";

/** Starts the whole service in this process, on the given database. */
export async function serviceOver(databaseUrl: string, leaseMs: number) {
  const lines: LogLine[] = [];
  const config = readConfig({ DATABASE_URL: databaseUrl, PORT: "0", TIME_SCALE: SCALE, LOG_LEVEL: "warn" });
  const log = createLog(config, (line) => void lines.push(JSON.parse(line)));
  const service = await startService(config, log, { leaseMs });
  return {
    ...service,
    /** Warnings and errors that it logged. */
    lines,
    /** Sends one request, and measures how long it takes. */
    async ask(method: string, path: string, key: string, { name, body }: { name?: string; body?: object } = {}) {
      const startedAt = performance.now();
      const response = await fetch(`${service.address}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { "content-type": "application/json" } : {}),
          ...(name ? { "idempotency-key": name } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, ms: performance.now() - startedAt };
    },
  };
}

export type RunningService = Awaited<ReturnType<typeof serviceOver>>;
