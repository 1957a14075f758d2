import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Config, originOf } from "../platform/config/config.ts";

/** How long calls under way may take after a stop. Then their connections are cut, in ms. */
const GRACE_MS = 10_000;

/** @throws Error that says what to do if the port cannot be opened */
export function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (thrown: NodeJS.ErrnoException) => reject(explainListenError(thrown, host, port)));
    server.listen(port, host, () => resolve());
  });
}

/** The settings with the port that was opened. The system chooses it for PORT 0. */
export function withOpenedPort(config: Config, server: Server): Config {
  const { port } = server.address() as AddressInfo;
  const isDefault = config.siteUrl === originOf(config.host, config.port);
  return { ...config, port, siteUrl: isDefault ? originOf(config.host, port) : config.siteUrl };
}

function explainListenError(thrown: NodeJS.ErrnoException, host: string, port: number): Error {
  if (thrown.code === "EADDRINUSE") {
    return new Error(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`);
  }
  if (thrown.code === "EACCES")
    return new Error(`Port ${port} may not be opened by this user. Set PORT to another one.`);
  if (thrown.code === "EADDRNOTAVAIL" || thrown.code === "ENOTFOUND") {
    return new Error(`HOST ${host} is not an address of this machine.`);
  }
  return thrown;
}

/** Accepts no new connections, and waits for the calls under way. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
