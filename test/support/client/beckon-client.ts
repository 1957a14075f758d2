import { join } from "node:path";
import type { Terminal } from "../../../packages/client/src/cli/command.ts";
import { run } from "../../../packages/client/src/cli/run.ts";
import { BUNDLE } from "../service/beckon-command.ts";
import { scratchFolder } from "../service/cli.ts";

/** Arguments of Node.js to run the `beckon` of callers. */
export const CLIENT: readonly string[] = [join(BUNDLE, "client.js")];

export interface ClientEnv {
  readonly [name: string]: string | undefined;
}

/** The environment of a user with an empty configuration folder, who has an API key. */
export function userOf(url: string, key?: string): ClientEnv {
  return {
    BECKON_CONFIG_DIR: scratchFolder(),
    BECKON_URL: url,
    ...(key === undefined ? {} : { BECKON_API_KEY: key }),
  };
}

/** Runs a command of callers in this process. Standard output is parsed, unless a person reads it. */
export async function client(
  env: ClientEnv,
  args: readonly string[],
  given: Partial<Terminal> & { stdin?: Uint8Array } = {},
) {
  const seen = { out: "", err: "" };
  const { stdin = new Uint8Array(), ...more } = given;
  const code = await run(args, {
    env,
    input: chunksOf(stdin),
    async out(text) {
      seen.out += text;
    },
    err(text) {
      seen.err += text;
    },
    isOutputTerminal: false,
    isInputTerminal: false,
    hideTyping() {},
    width: 80,
    signal: new AbortController().signal,
    ...more,
  });
  return { code, ...seen, json: () => JSON.parse(seen.out) };
}

/** In small pieces, which their reader has to put together. */
async function* chunksOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
