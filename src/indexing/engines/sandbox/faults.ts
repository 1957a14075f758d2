import { DAY, HOUR } from "../../../platform/clock.ts";

/** What can be made to go wrong in the sandbox, at will. */
export const FAULTS = {
  timeout: "calls run into their time limit: whether a URL was taken stays open, and looks see nothing",
  rate_limit: "half of every step is taken, then the engine asks to wait a minute",
  quota: "ten URLs a day (UTC) and engine; the rest waits for midnight",
  server_error: "every second call is answered with a 5xx",
  outage: "nothing answers",
} as const;

export type Fault = keyof typeof FAULTS;

/** A fault, and when it shows: hours after the engine was started, in service time. */
interface Period {
  readonly fault: Fault;
  readonly from: number;
  readonly until: number;
}

/** The switch of the sandbox's faults, read from SANDBOX_FAULTS and turned by tests. */
export class FaultInjector {
  #periods: Period[];
  readonly #startedAt: number;
  #calls = 0;
  readonly #taken = new Map<string, number>();

  /** @param setting e.g. `quota,outage@24-96`: a name, and from which hour to which where it is not always */
  constructor(setting: string, startedAt: number) {
    this.#startedAt = startedAt;
    this.#periods = setting
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => periodOf(part, startedAt));
  }

  /** Turns faults on from now on, in place of those before. */
  set(...faults: Fault[]): void {
    this.#periods = faults.map((fault) => ({ fault, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }));
  }

  /** Shows one fault in a span of service time, beside those already set. */
  during(fault: Fault, from: number, until: number): void {
    this.#periods.push({ fault, from, until });
  }

  isActive(fault: Fault, at: number): boolean {
    return this.#periods.some((period) => period.fault === fault && at >= period.from && at < period.until);
  }

  /** Whether this call is one of the failing halves of `server_error`. */
  failsNow(at: number): boolean {
    return this.isActive("server_error", at) && this.#calls++ % 2 === 0;
  }

  /** How many of `wanted` URLs today's quota of an engine still takes. */
  takeQuota(engine: string, at: number, wanted: number): number {
    if (!this.isActive("quota", at)) return wanted;
    const day = `${engine} ${Math.floor(at / DAY)}`;
    const taken = this.#taken.get(day) ?? 0;
    const now = Math.min(wanted, 10 - taken);
    this.#taken.set(day, taken + now);
    return now;
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
