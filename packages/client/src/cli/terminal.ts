import { once } from "node:events";
import type { Terminal } from "./command.ts";

/** This process's terminal, with the variables and the signal that a command gets. */
export function processTerminal(env: Terminal["env"], signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process;
  stdout.on("error", (thrown: NodeJS.ErrnoException) => {
    // Whoever reads the output has gone, as `head` does.
    if (thrown.code === "EPIPE") process.exit(0);
    stderr.write(`beckon: ${unwritten(thrown)}\n`, () => process.exit(1));
  });
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

/** What is said of output that cannot be written, as on a full disk. */
export function unwritten({ code, message }: NodeJS.ErrnoException): string {
  const why = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : message;
  return `The output is not complete, since it could not be written: ${why}.`;
}
