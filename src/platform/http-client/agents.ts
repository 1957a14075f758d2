import { Agent, buildConnector } from "undici";
import { type AddressPolicy, addressPolicy } from "./address.ts";
import { guardedConnector } from "./connect.ts";
import { type Resolve, systemResolve } from "./dns.ts";
import type { HttpLimits } from "./limits.ts";

/** The connections of a client. */
export interface Agents {
  /** To URLs that a stranger chose: connects to allowed addresses only. */
  readonly guarded: Agent;
  /** To this machine alone. */
  readonly local: Agent;
  /** To providers that the operator configured. */
  readonly apis: Agent;
  close(): Promise<void>;
}

/** @param ca certificate in PEM that is trusted in place of the public authorities */
export function openAgents(policy: AddressPolicy, resolve: Resolve, limits: HttpLimits, ca?: string): Agents {
  const agentOf = (connect: buildConnector.connector, headersTimeout: number) =>
    new Agent({
      connect,
      headersTimeout,
      bodyTimeout: 0,
      maxHeaderSize: limits.headerBytes,
      keepAliveTimeout: limits.idleMs,
      keepAliveMaxTimeout: limits.idleMs,
    });
  const guarded = agentOf(guardedConnector(policy, resolve, limits, ca), limits.headersMs);
  const local = agentOf(guardedConnector(addressPolicy(LOOPBACK), systemResolve, limits), 0);
  const apis = agentOf(buildConnector({ timeout: limits.connectMs }), 0);
  return {
    guarded,
    local,
    apis,
    async close() {
      await Promise.all([guarded.destroy(), local.destroy(), apis.destroy()]);
    },
  };
}

/** The networks of this machine itself. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];
