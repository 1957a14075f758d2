import {
  type Command as ClientCommand,
  UsageError as ClientUsageError,
} from "../../packages/client/src/cli/command.ts";
import { contextOf } from "../../packages/client/src/cli/context.ts";
import { processTerminal } from "../../packages/client/src/cli/terminal.ts";
import { BeckonError } from "../../packages/client/src/error.ts";
import { type Config, originOf } from "../platform/config/config.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import { ownCommand, startCommand } from "../platform/own-command.ts";
import { type Command, defineCommand, UsageError } from "./command.ts";
import { knownAddress } from "./known-address.ts";
import { untilStopped } from "./until-stopped.ts";

/** A command of the client as one of the operator: it calls this machine's service, unless BECKON_URL names another one. */
export function clientCommand({ name, about, detail, options, run }: ClientCommand): Command {
  const calls =
    "It calls this machine's service, which has to run, or the one at BECKON_URL. It requires BECKON_API_KEY.";
  return defineCommand({
    ...{ name, about, options },
    examples: [name],
    detail: detail === undefined ? calls : `${detail}\n${calls}`,
    async run(values, { config, json }) {
      const { apiKey, remoteUrl } = config;
      if (apiKey === undefined) {
        const making = ownCommand("key create --email E --name N");
        throw new UsageError(`set BECKON_API_KEY to an API key of the account. This makes one: ${making}`);
      }
      const url = remoteUrl ?? knownAddress(addressHere(config), "BECKON_URL");
      const env = { BECKON_URL: url, BECKON_API_KEY: apiKey };
      const stopping = new AbortController();
      void untilStopped().then(() => stopping.abort(new Error("interrupted")));
      try {
        const terminal = { ...processTerminal(env, stopping.signal), json };
        return await run([], values, await contextOf(undefined, terminal));
      } catch (thrown) {
        throw asOurs(thrown, remoteUrl === undefined);
      } finally {
        // Standard input may still be open, which would keep the process alive.
        process.stdin.destroy();
      }
    },
  });
}

/** Where programs on this machine reach its service: SITE_URL only where it listens on no loopback address, or answers no callers. */
export function addressHere({ role, host, port, siteUrl }: Pick<Config, "role" | "host" | "port" | "siteUrl">): string {
  const origin = originOf(host, port);
  const isHere = isLoopbackHost(new URL(origin).hostname.replace(/^\[|\]$/g, ""));
  return isHere && role !== "work" ? origin : siteUrl;
}

/** An error of the client as the operator's command line prints it. */
export function asOurs(thrown: unknown, isHere: boolean): unknown {
  if (thrown instanceof ClientUsageError) return new UsageError(thrown.message);
  if (!(thrown instanceof BeckonError)) return thrown;
  const { code, message } = thrown;
  if (code !== "no_answer" || !isHere) return new Error(message);
  return new Error(`${message} To start this machine's service: ${startCommand()}`);
}
