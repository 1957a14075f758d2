import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
import { BODIES } from "../../platform/limits.ts";

/** How long a client may take to send a body, in ms. */
const BODY_TIME = 120_000;

export interface BodyLimits {
  readonly max: number;
  readonly timeMs?: number | undefined;
}

/**
 * Reads a request body and gives it to `use`. At most two bodies over 1 MB are in memory at once, each until its `use`
 * has ended. After a refusal, `sendResponse` discards what is left unread.
 * @throws Refusal payload_too_large, unsupported_media_type (compressed), unavailable, invalid_request (incomplete)
 */
export async function withBody<T>(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  const slot = new LargeBodySlot();
  try {
    refuseByHeaders(req, limits.max, slot);
    if (/^100-continue$/i.test(req.headers.expect ?? "")) res.writeContinue();
    return await use(await collect(req, limits, slot));
  } finally {
    slot.release();
  }
}

/** Whether the headers announce a body (RFC 9112 section 6.3). */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function refuseByHeaders(req: IncomingMessage, max: number, slot: LargeBodySlot): void {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new Refusal("unsupported_media_type", "Send the body uncompressed.");
  }
  const declared = Number(req.headers["content-length"] ?? 0);
  if (declared > max) throw tooLarge(max);
  if (declared > BODIES.large) slot.acquire();
}

/** Listens to events instead of iterating: leaving an iteration early would destroy the socket before the refusal is sent. */
function collect(req: IncomingMessage, { max, timeMs = BODY_TIME }: BodyLimits, slot: LargeBodySlot): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => stop(incomplete(`Receiving it took longer than ${Math.ceil(timeMs / 1000)} s.`)),
      timeMs,
    );
    const stop = (refusal?: unknown) => {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("close", onCut).off("error", onCut).on("error", ignore).pause();
      if (refusal) reject(refusal);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > max) throw tooLarge(max);
        if (size > BODIES.large) slot.acquire();
      } catch (refusal) {
        stop(refusal);
      }
    };
    const onEnd = () => {
      stop();
      resolve(Buffer.concat(chunks, size));
    };
    const onCut = () => stop(incomplete("The connection was closed too early."));
    req.on("data", onData).on("end", onEnd).on("close", onCut).on("error", onCut);
  });
}

function ignore(): void {}

/** A permit to hold one large body in memory; there are BODIES.largeAtOnce of them in a process. */
class LargeBodySlot {
  static #inUse = 0;
  #held = false;

  /** @throws Refusal unavailable when none is free */
  acquire(): void {
    if (this.#held) return;
    if (LargeBodySlot.#inUse >= BODIES.largeAtOnce) throw busy();
    LargeBodySlot.#inUse += 1;
    this.#held = true;
  }

  release(): void {
    if (this.#held) LargeBodySlot.#inUse -= 1;
    this.#held = false;
  }
}

function tooLarge(max: number): Refusal {
  const message = `The body is over ${formatNumber(max)} bytes. Send less in one request.`;
  return new Refusal("payload_too_large", message, { max_bytes: max });
}

function incomplete(why: string): Refusal {
  const issues = [{ path: "", message: "incomplete" }];
  return new Refusal("invalid_request", `The body is incomplete. ${why} Nothing was changed.`, { issues });
}

function busy(): Refusal {
  const message = "Other large requests are being processed. Try again in a moment.";
  return new Refusal("unavailable", message, {}, { "Retry-After": "2" });
}
