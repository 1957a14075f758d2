import { CLIENT } from "../client/beckon-client.ts";
import type { Command } from "./clients.ts";

/** The command `beckon mcp`, as an agent's host starts it for a service. */
export function beckonMcp(url: string, key: string, ...args: string[]): Command {
  return {
    command: process.execPath,
    args: [...CLIENT, "mcp", ...args],
    cwd: process.cwd(),
    env: { PATH: process.env.PATH!, BECKON_URL: url, BECKON_API_KEY: key },
  };
}
