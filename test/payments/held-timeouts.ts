import { TIMEOUTS } from "../../src/domain/payments/direct/settlement/timeouts.ts";

export interface Latch {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function latch(): Latch {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Makes calls wait for the facilitator until `end` is called, in place of their timeout. */
export async function withHeldTimeout(
  what: "verifyMs" | "settleMs",
  work: (end: () => void) => Promise<void>,
): Promise<void> {
  const { within } = TIMEOUTS;
  const { opened, open } = latch();
  const untilEnd: typeof within = (asked, ms) =>
    ms === TIMEOUTS[what] ? Promise.race([asked, opened.then(() => null)]) : within(asked, ms);
  Object.assign(TIMEOUTS, { within: untilEnd });
  await work(open).finally(() => Object.assign(TIMEOUTS, { within }));
}
