import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { AddressPolicy } from "./address.ts";
import { type Resolve, resolveAllowed } from "./dns.ts";
import { FetchFailure } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";

/** How long one of several addresses is tried before the next, in ms; Node's default of 250 is short for a host far away. */
const ATTEMPT_MS = 1_000;

/**
 * A connector for undici that connects to allowed addresses only. A name is looked up once: the addresses that were
 * checked are the ones connected to, whatever its name server would answer a moment later (DNS rebinding).
 */
export function guardedConnector(
  policy: AddressPolicy,
  resolve: Resolve,
  { connectMs }: HttpLimits,
  ca?: string,
): buildConnector.connector {
  const lookup: LookupFunction = (name, { all }, callback) => {
    resolveAllowed(name, policy, resolve).then(
      (found) => (all ? callback(null, [...found]) : callback(null, found[0]!.address, found[0]!.family)),
      (thrown) => callback(thrown, []),
    );
  };
  const connect = buildConnector({
    timeout: connectMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup,
    ...(ca === undefined ? {} : { ca }),
  } as buildConnector.BuildOptions);

  return (options, callback) => {
    // Node does not call `lookup` for an address, so it is checked here.
    if (isIP(options.hostname) !== 0 && !policy.isAllowed(options.hostname)) {
      queueMicrotask(() => callback(new FetchFailure("not_public"), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) callback(error, null);
      else if (policy.isAllowed(socket.remoteAddress ?? "")) callback(null, socket);
      else {
        socket.destroy();
        callback(new FetchFailure("not_public"), null);
      }
    });
  };
}
