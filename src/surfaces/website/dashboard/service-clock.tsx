import type { VNode } from "preact";
import { MINUTE } from "../../../platform/clock.ts";
import { relativeTime, Time } from "../components/time.tsx";

/** Says which clock the times of a page are of, where the service clock of a sandbox runs away from real time. */
export function ServiceClock({ now, real }: { now: number; real: number }): VNode | null {
  if (Math.abs(now - real) < MINUTE) return null;
  const ahead = relativeTime(now, real).replace(/^in /, "");
  return (
    <p class="soft">
      Times on this page are those of the service clock of this sandbox: now <Time at={now} />, which is {ahead} ahead
      of real time.
    </p>
  );
}
