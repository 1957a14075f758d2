import { isIP } from "node:net";
import type { Config } from "./config.ts";

/** Whether a host name or IP address is this machine's own. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** A sandbox that listens on this machine alone. Only there is a demo account, and credentials for it are handed out. */
export function hasDemoAccount({ mode, host }: Pick<Config, "mode" | "host">): boolean {
  return mode === "sandbox" && isLoopbackHost(host);
}
