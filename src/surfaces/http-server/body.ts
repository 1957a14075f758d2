import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
import { BODIES } from "../../platform/limits.ts";

/** How long a client may take over a body, in ms. */
const BODY_TIME = 120_000;

export interface BodyLimits {
  readonly max: number;
  readonly timeMs?: number | undefined;
}

/**
 * Reads a request body and gives it to `use`. Bodies over 1 MB are in the process two at a time, each until
 * its `use` has ended. What is left unread after a refusal is for `reply` to get rid of.
 * @throws Refusal payload_too_large, unsupported_media_type (compressed), unavailable, invalid_request (not whole)
 */
export async function withBody<T>(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  const place = new LargeBodySlot();
  try {
    refuseByHeaders(req, limits.max, place);
    if (/^100-continue$/i.test(req.headers.expect ?? "")) res.writeContinue();
    return await use(await collect(req, limits, place));
  } finally {
    place.release();
  }
}

/** Whether the headers announce a body (RFC 9112 section 6.3). */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function refuseByHeaders(req: IncomingMessage, max: number, place: LargeBodySlot): void {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new Refusal("unsupported_media_type", "Send the body uncompressed.");
  }
  const declared = Number(req.headers["content-length"] ?? 0);
  if (declared > max) throw tooLarge(max);
  if (declared > BODIES.large) place.acquire();
}

/** Listens instead of iterating, since leaving an iteration early destroys the socket before the refusal is sent. */
function collect(req: IncomingMessage, { max, timeMs = BODY_TIME }: BodyLimits, place: LargeBodySlot): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => stop(notWhole(`Receiving it took longer than ${Math.ceil(timeMs / 1000)} s.`)),
      timeMs,
    );
    const stop = (refusal?: unknown) => {
      clearTimeout(timer);
      req.off("data", take).off("end", end).off("close", cut).off("error", cut).on("error", ignore).pause();
      if (refusal) reject(refusal);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > max) throw tooLarge(max);
        if (size > BODIES.large) place.acquire();
      } catch (refusal) {
        stop(refusal);
      }
    };
    const end = () => {
      stop();
      resolve(Buffer.concat(chunks, size));
    };
    const cut = () => stop(notWhole("The connection was closed too early."));
    req.on("data", take).on("end", end).on("close", cut).on("error", cut);
  });
}

function ignore(): void {}

/** One of the places that large bodies have in this process. */
class LargeBodySlot {
  static #taken = 0;
  #held = false;

  /** @throws Refusal unavailable when all are taken */
  acquire(): void {
    if (this.#held) return;
    if (LargeBodySlot.#taken >= BODIES.largeAtOnce) throw busy();
    LargeBodySlot.#taken += 1;
    this.#held = true;
  }

  release(): void {
    if (this.#held) LargeBodySlot.#taken -= 1;
    this.#held = false;
  }
}

function tooLarge(max: number): Refusal {
  const message = `The body is over ${formatNumber(max)} bytes. Send less in one request.`;
  return new Refusal("payload_too_large", message, { max_bytes: max });
}

function notWhole(why: string): Refusal {
  const issues = [{ path: "", message: "incomplete" }];
  return new Refusal("invalid_request", `The body is incomplete. ${why} Nothing was changed.`, { issues });
}

function busy(): Refusal {
  const message = "Other large requests are being processed. Try again in a moment.";
  return new Refusal("unavailable", message, {}, { "Retry-After": "2" });
}
