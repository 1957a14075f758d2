import { RequestGuard } from "../contract/authenticate.ts";
import { inlineExecutor } from "../contract/executor.ts";
import { loadPayments } from "../domain/payments/open.ts";
import { createHttpClient } from "../platform/http-client/http-client.ts";
import { syncClock } from "../process/clock-sync.ts";
import type { Instance } from "../process/instance.ts";
import { createLog, type Log } from "../process/log.ts";
import type { LocalCallerDeps } from "../surfaces/mcp/local.ts";
import { toolsetsIn } from "../surfaces/mcp/toolsets.ts";
import { defineCommand, UsageError } from "./command.ts";
import { requireLocalDatabase } from "./local-database.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "mcp",
  about: "Run an MCP server on standard input and output, for an agent that starts this command",
  detail:
    "Requires BECKON_API_KEY. With BECKON_URL it forwards to that service. Without, it works on the local database, which must exist; submitting and checking is done by the service that runs on it.",
  options: {
    toolsets: { value: "LIST", about: "Toolsets to list: jobs, credits, sites, webhooks; default: the first three" },
  },
  async run({ toolsets: list }, { config }) {
    const { apiKey: key, remoteUrl: url } = config;
    if (key === undefined) throw new UsageError("set BECKON_API_KEY to an API key of the account to work for.");
    if (url === undefined) requireLocalDatabase(config);
    const log = createLog(config);
    const toolsets = toolsetsIn(list ?? null);
    if (url === undefined) await withInstance(config, (instance) => serveLocally(instance, { key, toolsets }, log));
    else {
      const [{ remoteCaller }, { serveStdio }] = await Promise.all([
        import("../surfaces/mcp/remote.ts"),
        import("../surfaces/mcp/stdio.ts"),
      ]);
      await serveStdio(remoteCaller({ url, key, toolsets }), log);
    }
    return undefined;
  },
});

async function serveLocally(
  instance: Instance,
  client: Pick<LocalCallerDeps, "key" | "toolsets">,
  log: Log,
): Promise<void> {
  const [{ localCaller }, { serveStdio }] = await Promise.all([
    import("../surfaces/mcp/local.ts"),
    import("../surfaces/mcp/stdio.ts"),
  ]);
  const payments = (await loadPayments(instance.config, log))({ ...instance, log });
  const services = { ...instance, http: createHttpClient(instance.config), payments };
  const guard = new RequestGuard(services.db, services.clock, services.config);
  const stopClockSync = syncClock(services, () => undefined);
  await serveStdio(localCaller({ services, guard, executor: inlineExecutor(services), ...client }), log);
  stopClockSync();
  await services.http.close();
  await guard.flush();
}
