import { connect } from "node:net";
import { type Config, originOf } from "../../platform/config/config.ts";
import { isNodeRecent, NODE_ADVICE } from "../../platform/node-version.ts";
import type { Check } from "./check.ts";

export function checkNode(version: string): Check {
  return { name: "Node.js", ok: isNodeRecent(version), found: version, remedy: NODE_ADVICE };
}

/** Passes if the port is free, or if this service answers there. */
export async function checkPort({ host, port }: Config): Promise<Check> {
  const name = "Port";
  if (port === 0) return { name, ok: true, found: "a free one is chosen at every start" };
  const origin = originOf(host, port);
  if (!(await isOpen(origin))) return { name, ok: true, found: `${port} is free; the service is not running` };
  const remedy = "Stop the program that uses it, or set PORT to another one.";
  return (await isBeckon(origin))
    ? { name, ok: true, found: `the service answers at ${origin}` }
    : { name, ok: false, found: `${port} is used by a program that is not this service`, remedy };
}

function isOpen(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), timeout: 2_000 });
    const settle = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", settle(true)).once("error", settle(false)).once("timeout", settle(false));
  });
}

async function isBeckon(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/v1/pricing`, { signal: AbortSignal.timeout(5_000), redirect: "error" });
    const body = (await response.json()) as { object?: unknown };
    return response.ok && body.object === "pricing";
  } catch {
    return false;
  }
}
