import type { Services } from "../contract/call.ts";
import type { Executor } from "../contract/executor.ts";
import { dueTasks } from "../domain/tasks/waiting.ts";
import { SECOND } from "../platform/clock.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import type { Log } from "./log.ts";

/** How often a process looks for tasks that can go on. */
const POLL_MS = SECOND;

/**
 * Lets A2A tasks go on that wait for the approval of a person. The agent is loaded when there is one.
 * @returns stop, which cuts off the call under way; another process makes it
 */
export function startTaskResumer(services: Services, executor: Executor, log: Log): () => Promise<void> {
  const { db, clock } = services;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const resume = async () => {
    if ((await dueTasks(db, clock.now(), 1)).length === 0) return;
    const { TaskResumer } = await import("../../a2a/agent/task-resumer.ts");
    await new TaskResumer({ services, executor, log }).resumeDue(stopping.signal);
  };
  const poll = () => {
    running ??= resume()
      .catch((err: unknown) => {
        // Other jobs log a database that does not answer.
        if (!isUnavailable(err)) log.error({ err }, "approved tasks could not go on; retrying in a second");
      })
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
