// A recurring job that only reports its runs, on standard output, where reports can be read even if the process dies
// afterwards. The tests check which process ran it, and when.
import { randomUUID } from "node:crypto";

/** How often the delay of the event loop is measured. */
const BEAT_MS = 50;

/** @param startRecurring from the sources, or compiled @returns a function that stops the job */
export function startNotedRounds(startRecurring, db, { job, periodMs }) {
  // Identifies the process; a pid may be used again.
  const by = randomUUID();
  let slot = -1;
  const note = (what) => process.stdout.write(`${JSON.stringify({ round: { by, slot, what } })}\n`);
  // Time that the machine and the connection to the database have cost since the scheduler last read the clock. A process
  // that is behind by a slot may miss one, and reports so; any other missed slot is a bug of the scheduler.
  let behind = 0;
  let hasAsked = false;
  let beat = performance.now();
  const heart = setInterval(() => {
    const last = beat;
    beat = performance.now();
    behind += Math.max(0, beat - last - BEAT_MS);
  }, BEAT_MS).unref();
  const timed = async (work) => {
    const since = performance.now();
    const value = await work();
    const took = performance.now() - since;
    behind += took;
    if (behind >= periodMs - 2 * BEAT_MS) note("late");
    return { value, took };
  };
  const noted = {
    ...db,
    async now() {
      try {
        const { value, took } = await timed(() => db.now());
        slot = Math.floor(value / periodMs);
        // The clock is read after the claim, when the delay of the next slot begins to count.
        if (hasAsked) behind = took;
        hasAsked = false;
        return value;
      } catch (thrown) {
        note("away");
        throw thrown;
      }
    },
    async tx(work, meeting) {
      hasAsked = true;
      try {
        const { value } = await timed(() => db.tx(work, meeting));
        note("asked");
        return value;
      } catch (thrown) {
        note("lost");
        throw thrown;
      }
    },
  };
  const work = async () => void note("done");
  const stop = startRecurring(noted, { job, node: by, periodMs, firstMs: 0, work, failed: () => undefined });
  return () => {
    clearInterval(heart);
    return stop();
  };
}
