import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import { isOfferedBy, type Toolset } from "../../contract/operation.ts";
import type { ToolCaller } from "./caller.ts";

export interface LocalCallerDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly key: string;
  readonly toolsets?: ReadonlySet<Toolset> | undefined;
}

/**
 * Runs calls on the database of this machine. The key is checked at every call, so that a revoked one stops working at
 * the next, and the limits are those of every other surface.
 */
export function localCaller({ services, guard, executor, key, toolsets }: LocalCallerDeps): ToolCaller {
  const caller = { authorization: `Bearer ${key}`, ip: "stdio", resource: "/mcp" as const };
  return {
    siteUrl: services.config.siteUrl,
    toolsets,
    offered: async () => (operation) => isOfferedBy(operation, services.config),
    // The key is checked when it is used.
    allows: () => true,
    async call({ input, ...call }) {
      const admission = await guard.admit(caller);
      guard.authorize(call.operation, admission, caller);
      const { principal, requestsToday } = admission;
      return executor.run({ ...call, json: input, audience: "agent", principal, requestsToday });
    },
  };
}
