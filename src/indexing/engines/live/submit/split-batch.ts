import { UpstreamFailure } from "../../../providers/failure.ts";
import type { ChannelOutcome } from "../channel.ts";

/**
 * The provider's answer to a part: one outcome for all its URLs, or `invalid` if one of them is, without saying
 * which.
 */
export type PartOutcome = ChannelOutcome | "invalid";

/** Most requests for one call. They suffice to find dozens of invalid URLs among 500 and to send the others. */
const MAX_REQUESTS = 40;

/**
 * Sends a list in parts of at most `size`. A part with an invalid URL is halved until that URL is alone and can be
 * rejected. After a failure the rest is deferred. A failure is thrown if no outcome is known yet, or if its request
 * may have arrived.
 * @param send sends one part; `no` counts the requests from 0
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
  const outcomes: ChannelOutcome[] = [];
  for (let no = 0; queue.length > 0; no++) {
    const part = queue.shift()!;
    const answer = no === MAX_REQUESTS ? TOO_MANY_REQUESTS : await attempt(() => send(part, no), outcomes.length > 0);
    if (answer === "invalid" && part.length > 1) queue.unshift(...halvesOf(part));
    else outcomes.push(...part.map(() => (answer === "invalid" ? INVALID : answer)));
    if (answer !== "invalid" && answer.kind === "deferred")
      outcomes.push(...queue.splice(0).flatMap((rest) => rest.map(() => answer)));
  }
  return outcomes;
}

const INVALID: ChannelOutcome = { kind: "rejected", detail: "invalid_url" };
const TOO_MANY_REQUESTS: ChannelOutcome = { kind: "deferred", detail: "too_many_invalid" };

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
