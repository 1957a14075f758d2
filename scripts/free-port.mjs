import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below these begin the ports that systems give to connections, and to servers that name none: on Linux at 32768. */
const FIRST = 16_384;
const COUNT = 16_384;

/**
 * Finds a free port of this machine, for a program that cannot choose one itself. Nobody else is given it by the system, however
 * long that program takes to start.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = FIRST + randomInt(COUNT);
    if (await isFree(port)) return port;
  }
}

/** @param {number} port */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
