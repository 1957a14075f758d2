import { readFileSync, writeFileSync } from "node:fs";
import { EventLoopTurns } from "./event-loop.ts";
import { serveWholeService } from "./whole-service.ts";

/** The service in a process of its own. At `begin` it starts to measure, at `end` it reports (`Stall`). */
export interface Stall {
  /** The longest turn of the event loop, in ms of CPU: how long everybody else waited. */
  readonly ms: number;
  /** Resident memory at its most, over what it was, in bytes. Linux only; elsewhere 0. */
  readonly bytes: number;
}

let turns = new EventLoopTurns();
let before = 0;
process.on("message", (message: "begin" | "end") => {
  if (message === "begin") {
    global.gc?.();
    forgetPeak();
    before = process.memoryUsage().rss;
    turns = new EventLoopTurns();
    process.send!({});
  } else process.send!({ ms: turns.stop().most, bytes: Math.max(0, peak() - before) } satisfies Stall);
});
process.on("disconnect", () => process.exit());
process.send!(await serveWholeService(process.argv[2]!));

/** From here on, the peak is one of what comes (proc(5), clear_refs). */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // No Linux.
  }
}

function peak(): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "latin1"))![1]) * 1024;
  } catch {
    return 0;
  }
}
