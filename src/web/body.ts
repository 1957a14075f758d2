import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors.ts";
import { BODIES } from "../limits/table.ts";

/** How long a client may take over a body, in ms; a body that never ends is cut off. */
const BODY_TIME = 120_000;

let largeBeingRead = 0;

/**
 * Reads a request body of at most `max` bytes. Bodies over 1 MB are read two at a time.
 * @throws Refusal payload_too_large, unsupported_media_type (compressed), unavailable, invalid_request (cut off)
 */
export async function readBody(req: IncomingMessage, max: number, timeMs = BODY_TIME): Promise<Buffer> {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new Refusal("unsupported_media_type", "Send the body uncompressed.");
  }
  if (Number(req.headers["content-length"] ?? 0) > max) throw tooLarge(max);

  const chunks: Buffer[] = [];
  let size = 0;
  let large = false;
  const timer = setTimeout(() => req.destroy(), timeMs);
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > max) throw tooLarge(max);
      if (!large && size > BODIES.large) {
        if (largeBeingRead >= BODIES.largeAtOnce) throw busy();
        large = true;
        largeBeingRead += 1;
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    throw new Refusal("invalid_request", "The body did not arrive whole.");
  } finally {
    clearTimeout(timer);
    if (large) largeBeingRead -= 1;
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(max: number): Refusal {
  return new Refusal("payload_too_large", `The body is over ${max.toLocaleString("en-US")} bytes.`, { max_bytes: max });
}

function busy(): Refusal {
  return new Refusal(
    "unavailable",
    "Other large requests are being read. Try again in a moment.",
    {},
    { "Retry-After": "2" },
  );
}
