import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { beckonMcp } from "./stdio.ts";

/** Starts the command, sends each message after the answer to the one before, and ends it. @returns the answers, by id */
export async function exchange(
  { command, args, ...options }: ReturnType<typeof beckonMcp>,
  messages: readonly object[],
) {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answers = new Map<unknown, unknown>();
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value } = await lines.next();
    const answer = JSON.parse(value as string) as { id: unknown };
    answers.set(answer.id, answer);
  }
  child.stdin.end();
  await once(child, "close");
  return answers;
}
