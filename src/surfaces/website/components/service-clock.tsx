import type { VNode } from "preact";
import { MINUTE } from "../../../platform/clock.ts";
import { relativeTime, Time } from "./time.tsx";

/** Says that times are real although projects on the page follow the service clock, where that clock differs from real time. */
export function RealClock({ now, real }: { now: number; real: number }): VNode | null {
  if (Math.abs(now - real) < MINUTE) return null;
  return (
    <p class="soft">
      Times on this page are in real time, in which credits move. Projects of this sandbox follow its service clock,
      which is {aheadOf(now, real)} ahead.
    </p>
  );
}

/** Says which clock a page shows, where the service clock of a sandbox differs from real time. */
export function ServiceClock({ now, real }: { now: number; real: number }): VNode | null {
  if (Math.abs(now - real) < MINUTE) return null;
  return (
    <p class="soft">
      Times on this page are by the service clock of this sandbox: now <Time at={now} />, which is {aheadOf(now, real)}{" "}
      ahead of real time.
    </p>
  );
}

/** "3 days" */
function aheadOf(now: number, real: number): string {
  return relativeTime(now, real).replace(/^in /, "");
}
