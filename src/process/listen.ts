import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Config, originOf } from "../platform/config/config.ts";

/** How long calls in hand may take after a stop before their connections are cut. */
const GRACE_MS = 10_000;

/** @throws Error that says what to do where the port cannot be opened */
export function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (thrown: NodeJS.ErrnoException) => reject(explained(thrown, host, port)));
    server.listen(port, host, () => resolve());
  });
}

/** The settings with the port that was opened, which PORT 0 leaves to the system. */
export function listening(config: Config, server: Server): Config {
  const { port } = server.address() as AddressInfo;
  const isDefault = config.siteUrl === originOf(config.host, config.port);
  return { ...config, port, siteUrl: isDefault ? originOf(config.host, port) : config.siteUrl };
}

function explained(thrown: NodeJS.ErrnoException, host: string, port: number): Error {
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

/** Takes no new connections, and waits for the calls in hand. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
