import { once } from "node:events";
import type { Terminal } from "./command.ts";

/** This process's terminal, with the variables and the signal that a command gets. */
export function processTerminal(env: Terminal["env"], signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process;
  // Whoever reads the output has gone, as `head` does.
  stdout.on("error", () => process.exit(0));
  // All that is written meanwhile waits for the same event.
  let drained: Promise<unknown> | null = null;
  return {
    env,
    signal,
    input: stdin,
    async out(text) {
      if (stdout.write(text)) return;
      drained ??= once(stdout, "drain").finally(() => {
        drained = null;
      });
      await drained;
    },
    err: (text) => void stderr.write(text),
    isOutputTerminal: stdout.isTTY === true,
    isInputTerminal: stdin.isTTY === true,
    hideTyping: (isHidden) => void stdin.setRawMode?.(isHidden),
    width: stdout.columns ?? 80,
  };
}
