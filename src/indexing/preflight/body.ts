import { FetchFailure, type PublicResponse } from "../../platform/http-client/http-client.ts";

/**
 * The first `most` bytes of a body; what comes behind is let go. A page may be larger than we read: that is nothing
 * against it.
 * @throws FetchFailure timeout, broken, unreachable
 */
export async function* bytesOf(response: PublicResponse, most: number): AsyncGenerator<Buffer> {
  let left = most;
  try {
    for await (const chunk of response.body) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) return;
    }
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure) || thrown.problem !== "too_large") throw thrown;
  } finally {
    response.discard();
  }
}
