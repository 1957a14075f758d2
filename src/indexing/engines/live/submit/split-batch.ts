import { UpstreamFailure } from "../../../providers/failure.ts";
import type { ChannelOutcome } from "../channel.ts";

/** What the provider said of a part: one outcome for all of it, or that some URL of it, it does not say which, is invalid. */
export type PartOutcome = ChannelOutcome | "invalid";

/** Most requests for one call. With this many, dozens of invalid URLs among 500 are found, and the others sent. */
const MOST = 40;

/**
 * Sends a list in parts of at most `size`. Where one URL would spoil the rest, its part is halved until that URL
 * stands alone and is rejected. What follows a failure is deferred; a failure before anything was taken, or one that
 * may have arrived, is thrown.
 * @param send one part; `no` counts them from 0
 * @returns one outcome per URL, in order
 */
export async function sendInParts(
  urls: readonly string[],
  size: number,
  send: (part: readonly string[], no: number) => Promise<PartOutcome>,
): Promise<ChannelOutcome[]> {
  const queue: (readonly string[])[] = Array.from({ length: Math.ceil(urls.length / size) }, (_, i) =>
    urls.slice(i * size, (i + 1) * size),
  );
  const taken: ChannelOutcome[] = [];
  for (let no = 0; queue.length > 0; no++) {
    const part = queue.shift()!;
    const answer = no === MOST ? LATER : await attempt(() => send(part, no), taken.length > 0);
    if (answer === "invalid" && part.length > 1) queue.unshift(...halvesOf(part));
    else taken.push(...part.map(() => (answer === "invalid" ? INVALID : answer)));
    if (answer !== "invalid" && answer.kind === "deferred")
      taken.push(...queue.splice(0).flatMap((rest) => rest.map(() => answer)));
  }
  return taken;
}

const INVALID: ChannelOutcome = { kind: "rejected", detail: "invalid_url" };
const LATER: ChannelOutcome = { kind: "deferred", detail: "too_many_invalid" };

function halvesOf(part: readonly string[]): [readonly string[], readonly string[]] {
  const half = Math.ceil(part.length / 2);
  return [part.slice(0, half), part.slice(half)];
}

async function attempt(send: () => Promise<PartOutcome>, isBegun: boolean): Promise<PartOutcome> {
  try {
    return await send();
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure) || !isBegun || thrown.mayHaveArrived) throw thrown;
    const { kind: detail, until } = thrown;
    return { kind: "deferred", detail, ...(until === undefined ? {} : { until }) };
  }
}
