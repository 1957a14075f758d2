import { unwritten } from "../../packages/client/src/cli/terminal.ts";
import type { Terminal } from "./cli.ts";

/**
 * This process's terminal. It says in a sentence when output cannot be written, and makes the program exit with 1. The program
 * goes on: a service whose log cannot be written still answers.
 */
export function terminalOf(process: Pick<NodeJS.Process, "stdout" | "stderr" | "exitCode" | "exit" | "env">): Terminal {
  const { stdout, stderr, env } = process;
  let lost: string | undefined;
  stdout.on("error", (thrown: NodeJS.ErrnoException) => {
    // Whoever reads the output has gone, as `head` does.
    const isGone = thrown.code === "EPIPE";
    if (isGone && lost === undefined) process.exit(0);
    // The event comes after the command has ended.
    process.exitCode = 1;
    const words = [isGone ? "Nobody reads the output." : unwritten(thrown), lost ?? ""];
    stderr.write(`beckon: ${words.join(" ").trim()}\n`);
  });
  stderr.on("error", () => undefined);
  return {
    out(text, ifUnwritten) {
      lost ??= ifUnwritten;
      stdout.write(text);
    },
    err: (text) => void stderr.write(text),
    env,
  };
}
