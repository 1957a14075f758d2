import { type Answer, type Call, call, type Services } from "./call.ts";

/** Runs admitted calls, on this thread or another one. */
export interface Executor {
  /** @throws Refusal */
  run(call: Call): Promise<Answer>;
}

/** Runs every call on this thread. */
export function inlineExecutor(services: Services): Executor {
  return { run: (admitted) => call(services, admitted) };
}
