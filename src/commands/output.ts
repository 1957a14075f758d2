import { unwritten } from "../../packages/client/src/cli/terminal.ts";

/**
 * Says in a sentence when output cannot be written, and makes the program exit with 1. It goes on: a service whose log cannot
 * be written still answers.
 */
export function guardOutput(process: Pick<NodeJS.Process, "stdout" | "stderr" | "exitCode" | "exit">): void {
  process.stdout.on("error", (thrown: NodeJS.ErrnoException) => {
    // Whoever reads the output has gone, as `head` does.
    if (thrown.code === "EPIPE") process.exit(0);
    // The event comes after the command has ended.
    process.exitCode = 1;
    process.stderr.write(`beckon: ${unwritten(thrown)}\n`);
  });
  process.stderr.on("error", () => undefined);
}
