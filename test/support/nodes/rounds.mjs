// Rounds of a node that do nothing but say, on standard output, what became of them: what was said before a process
// died can still be read. What counts is who may do them, and when.
import { randomUUID } from "node:crypto";

/**
 * A process that does not get its turn for so long, or an answer, says so. From the answer that its timer is set by to the
 * last one of its turn there are four waits for an answer and one for the timer, which a beat may hide in: what goes
 * unsaid is less than 4 × 250 + 450 ms, and so less than a slot.
 */
const LATE_MS = 250;
const BEAT_MS = 200;

/** @param startRounds of the sources, or of what they compile to @returns stop */
export function startNotedRounds(startRounds, db, { job, periodMs }) {
  // The process: its number may be another one's later.
  const by = randomUUID();
  let slot = -1;
  const note = (what) => process.stdout.write(`${JSON.stringify({ round: { by, slot, what } })}\n`);
  const timed = async (work) => {
    const since = performance.now();
    const value = await work();
    if (performance.now() - since > LATE_MS) note("late");
    return value;
  };
  let beat = performance.now();
  const heart = setInterval(() => {
    const before = beat;
    beat = performance.now();
    if (beat - before > BEAT_MS + LATE_MS) note("late");
  }, BEAT_MS).unref();
  const noted = {
    ...db,
    async now() {
      try {
        const at = await timed(() => db.now());
        slot = Math.floor(at / periodMs);
        return at;
      } catch (thrown) {
        note("away");
        throw thrown;
      }
    },
    async tx(work, meeting) {
      try {
        const won = await timed(() => db.tx(work, meeting));
        note("asked");
        return won;
      } catch (thrown) {
        note("lost");
        throw thrown;
      }
    },
  };
  const work = async () => void note("done");
  const stop = startRounds(noted, { job, node: by, periodMs, firstMs: 0, work, failed: () => undefined });
  return () => {
    clearInterval(heart);
    return stop();
  };
}
