import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { PROGRAM } from "./beckon-command.ts";

/** Runs `beckon` in a process of its own, which is killed when the test ends. */
export function beckonProcess(env: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  onTestFinished(() => end(child));
  const seen = { out: "", err: "" };
  child.stdout.on("data", (data) => {
    seen.out += data;
  });
  child.stderr.on("data", (data) => {
    seen.err += data;
  });
  const exited = once(child, "exit").then(([code, signal]) => ({ code, signal, ...seen }));
  return {
    child,
    /** Output so far. */
    seen,
    exited,
    /** Waits for the first line of standard output. @throws Error with standard error if the process ends without one */
    async firstLine(): Promise<string> {
      while (!seen.out.includes("\n") && child.exitCode === null && child.signalCode === null)
        await Promise.race([once(child.stdout, "data"), exited]);
      if (!seen.out.includes("\n")) throw new Error(`ended with ${child.exitCode ?? child.signalCode}: ${seen.err}`);
      return seen.out.split("\n")[0]!;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
