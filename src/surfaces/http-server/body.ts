import type { IncomingMessage, ServerResponse } from "node:http";
import { BODIES } from "../../platform/body-limits.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";

/** How long a client may take to send a body, in ms. */
const BODY_TIME = 120_000;

export interface BodyLimits {
  readonly max: number;
  readonly timeMs?: number | undefined;
  /** Whether it may be packed by gzip. It is read as it is sent. */
  readonly mayBePacked?: boolean;
}

/** What reads a body as it comes. It throws where it wants no more. */
export interface BodyReader {
  write(piece: Buffer): void;
}

/**
 * Reads a request body and gives it to `use`. At most two bodies over 1 MB are in memory at once, each until its `use`
 * has ended. After a refusal, `sendResponse` discards what is left unread.
 * @throws Refusal payload_too_large, unsupported_media_type (compressed), unavailable, invalid_request (incomplete)
 */
export function withBody<T>(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  const pieces: Buffer[] = [];
  const reader = { write: (piece: Buffer) => void pieces.push(piece) };
  return readBody(req, res, { ...limits, reader }, () => use(Buffer.concat(pieces)));
}

/** As `withBody`, for a reader that takes the body as it comes. */
export async function readBody<T>(
  req: IncomingMessage,
  res: ServerResponse,
  { max, timeMs = BODY_TIME, mayBePacked = false, reader }: BodyLimits & { readonly reader: BodyReader },
  use: () => Promise<T>,
): Promise<T> {
  const slot = new LargeBodySlot();
  try {
    refuseByHeaders(req, { max, mayBePacked }, slot);
    if (/^100-continue$/i.test(req.headers.expect ?? "")) res.writeContinue();
    await receive(req, { max, timeMs, reader, slot });
    return await use();
  } finally {
    slot.release();
  }
}

/** Whether the headers announce a body (RFC 9112 section 6.3). */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function refuseByHeaders(req: IncomingMessage, { max, mayBePacked }: BodyLimits, slot: LargeBodySlot): void {
  const encoding = req.headers["content-encoding"]?.toLowerCase();
  const isTaken = encoding === undefined || encoding === "identity" || (mayBePacked && encoding === "gzip");
  if (!isTaken) {
    throw new Refusal("unsupported_media_type", "Send the body uncompressed.");
  }
  const declared = Number(req.headers["content-length"] ?? 0);
  if (declared > max) throw bodyTooLarge(max);
  if (declared > BODIES.large) slot.acquire();
}

interface Receipt {
  readonly max: number;
  readonly timeMs: number;
  readonly reader: BodyReader;
  readonly slot: LargeBodySlot;
}

/** Listens to events instead of iterating: leaving an iteration early would destroy the socket before the refusal is sent. */
function receive(req: IncomingMessage, { max, timeMs, reader, slot }: Receipt): Promise<void> {
  return new Promise((resolve, reject) => {
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
    const onData = (piece: Buffer) => {
      size += piece.length;
      try {
        if (size > max) throw bodyTooLarge(max);
        if (size > BODIES.large) slot.acquire();
        reader.write(piece);
      } catch (refusal) {
        stop(refusal);
      }
    };
    const onEnd = () => {
      stop();
      resolve();
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

export function bodyTooLarge(max: number): Refusal {
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
