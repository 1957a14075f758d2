/** Faults that the sandbox can simulate. */
export const FAULTS = {
  timeout: "calls time out: it stays unknown whether a URL was accepted, and checks have no result",
  rate_limit: "half of every step is accepted, then the engine asks to wait a minute",
  quota: "ten URLs a day (UTC) for each engine; the rest waits for midnight",
  server_error: "every second call is answered with a 5xx",
  outage: "nothing answers",
} as const;

export type Fault = keyof typeof FAULTS;

/** A fault, and between which hours after the start it is active; without them it always is. */
export interface SimulatedFault {
  readonly fault: Fault;
  readonly hours: { readonly from: number; readonly until: number } | null;
}

/** The fault in a text such as `quota` or `outage@24-96`; null when it names none. */
export function faultIn(text: string): SimulatedFault | null {
  const [, fault = "", from, until] = /^([a-z_]+)(?:@(\d{1,6})-(\d{1,6}))?$/.exec(text) ?? [];
  if (!Object.hasOwn(FAULTS, fault)) return null;
  const hours = from === undefined ? null : { from: Number(from), until: Number(until) };
  return hours === null || hours.from < hours.until ? { fault: fault as Fault, hours } : null;
}
