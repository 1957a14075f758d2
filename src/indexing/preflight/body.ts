import { FetchFailure, type PublicResponse } from "../../platform/http-client/http-client.ts";

/**
 * The first `max` bytes of a body. The rest is discarded, because a larger page is not an error.
 * @throws FetchFailure timeout, broken, unreachable
 */
export async function* bytesOf(response: PublicResponse, max: number): AsyncGenerator<Buffer> {
  let left = max;
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
