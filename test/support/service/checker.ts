import type { Engine } from "../../../db/engine.ts";
import { Checker, type CheckerOptions } from "../../../src/indexing/checker/checker.ts";
import type { Engines } from "../../../src/indexing/engines/engine.ts";
import { FaultInjector } from "../../../src/indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../../src/indexing/engines/sandbox/sandbox.ts";
import type { TestClock } from "./clock.ts";

export interface TestChecker {
  readonly checker: Checker;
  /** Faults of the sandbox engines. */
  readonly faults: FaultInjector;
  /** Warnings and errors that it logged. */
  readonly troubles: unknown[];
  /** Runs all steps that are due until then (service time), each at its due time, and leaves the clock there. */
  until(at: number): Promise<void>;
}

export function testChecker(
  { db, clock }: { db: Engine; clock: TestClock },
  change: (sandbox: Engines) => Engines = (sandbox) => sandbox,
  { concurrency }: Pick<CheckerOptions, "concurrency"> = {},
): TestChecker {
  const faults = new FaultInjector([], clock.service());
  const troubles: unknown[] = [];
  const note = (details: object) => void troubles.push((details as { err?: unknown }).err ?? details);
  const log = { info() {}, warn: note, error: note };
  const checker = new Checker({
    db,
    clock,
    engines: change(sandboxEngines(faults)),
    log,
    ...(concurrency && { concurrency }),
  });
  return {
    checker,
    faults,
    troubles,
    async until(at) {
      for (;;) {
        const due = await checker.nextDue();
        if (due === null || due > at) break;
        clock.pass(Math.max(0, due - clock.service()));
        // A step that is due and never done would repeat this loop for ever.
        if ((await checker.drain()) === 0) throw new Error(`a step due at ${new Date(due).toISOString()} is not done`);
      }
      clock.pass(at - clock.service());
    },
  };
}
