import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { Addresses } from "./address.ts";
import { addressesOfName, type Resolve } from "./dns.ts";
import { FetchFailure } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";

/** How long one of several addresses is tried before the next; 250 ms, Node's own, is short for the other hemisphere. */
const ATTEMPT_MS = 1_000;

/**
 * Connects to addresses that may be connected to, and to no others. A name is looked up once: the addresses judged
 * are the ones connected to, whatever its server would answer the next moment.
 */
export function guardedConnector(
  addresses: Addresses,
  resolve: Resolve,
  { connectMs }: HttpLimits,
  ca?: string,
): buildConnector.connector {
  const lookup: LookupFunction = (name, { all }, callback) => {
    addressesOfName(name, addresses, resolve).then(
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
    // Node does not look an address up, so that it is judged here.
    if (isIP(options.hostname) !== 0 && !addresses.isAllowed(options.hostname)) {
      queueMicrotask(() => callback(new FetchFailure("not_public"), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) callback(error, null);
      else if (addresses.isAllowed(socket.remoteAddress ?? "")) callback(null, socket);
      else {
        socket.destroy();
        callback(new FetchFailure("not_public"), null);
      }
    });
  };
}
