import { monitorEventLoopDelay, performance } from "node:perf_hooks";

/** What a server of submissions is asked: to begin a measurement, to end it, or to parse a body. */
export type MeterMessage =
  | { readonly ask: "reset"; readonly watchesLoop?: boolean }
  | { readonly ask: "read" }
  | { readonly ask: "parse"; readonly body: string };

/**
 * Makes this process measure itself when its parent asks: its CPU over all threads, and the longest stall of its event loop.
 * The timer that watches for stalls takes CPU itself, so a measurement has one or the other.
 */
export function meterSubmissions(facts: { readonly address: string; readonly key: string }): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let from = process.cpuUsage();
  process.on("message", (message: MeterMessage) => {
    if (message.ask === "reset") {
      delay.disable();
      delay.reset();
      if (message.watchesLoop) delay.enable();
      from = process.cpuUsage();
      process.send!({});
    } else if (message.ask === "read") {
      const { user, system } = process.cpuUsage(from);
      // The timer's own resolution of 1 ms is part of every delay it sees.
      process.send!({ cpu: (user + system) / 1000, stall: Math.max(0, delay.max / 1e6 - 1) });
    } else {
      const bytes = Buffer.from(message.body);
      const start = performance.now();
      JSON.parse(bytes.toString());
      process.send!({ parse: performance.now() - start });
    }
  });
  process.on("disconnect", () => process.exit());
  process.send!(facts);
}
