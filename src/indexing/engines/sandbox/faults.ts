import { DAY, HOUR } from "../../../platform/clock.ts";

/** Faults that the sandbox can simulate. */
export const FAULTS = {
  timeout: "calls time out: it stays unknown whether a URL was accepted, and checks have no result",
  rate_limit: "half of every step is accepted, then the engine asks to wait a minute",
  quota: "ten URLs a day (UTC) for each engine; the rest waits for midnight",
  server_error: "every second call is answered with a 5xx",
  outage: "nothing answers",
} as const;

export type Fault = keyof typeof FAULTS;

/** A fault and when it is active, in service time. */
interface Period {
  readonly fault: Fault;
  readonly from: number;
  readonly until: number;
}

/** Decides which faults the sandbox simulates: those of SANDBOX_FAULTS, or those that a test sets. */
export class FaultInjector {
  #periods: Period[];
  readonly #startedAt: number;
  #calls = 0;
  readonly #taken = new Map<string, number>();

  /** @param setting e.g. `quota,outage@24-96`: names of faults, with the hours after the start between which they are active */
  constructor(setting: string, startedAt: number) {
    this.#startedAt = startedAt;
    this.#periods = setting
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => periodOf(part, startedAt));
  }

  /** Replaces the active faults. */
  set(...faults: Fault[]): void {
    this.#periods = faults.map((fault) => ({ fault, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }));
  }

  /** Adds a fault that is active in a span of service time. */
  during(fault: Fault, from: number, until: number): void {
    this.#periods.push({ fault, from, until });
  }

  isActive(fault: Fault, at: number): boolean {
    return this.#periods.some((period) => period.fault === fault && at >= period.from && at < period.until);
  }

  /** Whether this call fails: with `server_error` every second one does. */
  failsNow(at: number): boolean {
    return this.isActive("server_error", at) && this.#calls++ % 2 === 0;
  }

  /** Takes up to `wanted` URLs from an engine's quota of the day. @returns how many were left */
  takeQuota(engine: string, at: number, wanted: number): number {
    if (!this.isActive("quota", at)) return wanted;
    const day = `${engine} ${Math.floor(at / DAY)}`;
    const taken = this.#taken.get(day) ?? 0;
    const granted = Math.min(wanted, 10 - taken);
    this.#taken.set(day, taken + granted);
    return granted;
  }

  get startedAt(): number {
    return this.#startedAt;
  }
}

function periodOf(part: string, startedAt: number): Period {
  const match = /^([a-z_]+)(?:@(\d+)-(\d+))?$/.exec(part);
  const fault = match?.[1];
  if (!fault || !Object.hasOwn(FAULTS, fault)) {
    throw new Error(
      `SANDBOX_FAULTS: "${part}" is not one of ${Object.keys(FAULTS).join(", ")} (with @FROM-TO in hours)`,
    );
  }
  if (match[2] === undefined)
    return { fault: fault as Fault, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  return {
    fault: fault as Fault,
    from: startedAt + Number(match[2]) * HOUR,
    until: startedAt + Number(match[3]) * HOUR,
  };
}
