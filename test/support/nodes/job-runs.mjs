// Rounds of a node that do nothing but say, on standard output, what became of them: what was said before a process
// died can still be read. What counts is who may do them, and when.
import { randomUUID } from "node:crypto";

/** How often it is looked whether the process gets its turn. */
const BEAT_MS = 50;

/** @param startRecurring of the sources, or of what they compile to @returns stop */
export function startNotedRounds(startRecurring, db, { job, periodMs }) {
  // The process: its number may be another one's later.
  const by = randomUUID();
  let slot = -1;
  const note = (what) => process.stdout.write(`${JSON.stringify({ round: { by, slot, what } })}\n`);
  // What the machine and the ways to the database took of the time since the clock was asked that its timer is set by. Only
  // who is behind by a slot can miss one for it, and says so; the code that is tested is given no such excuse.
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
        // Asked after the row, it is what the next turn begins with.
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
