import type { IncomingMessage, ServerResponse } from "node:http";
import { BODIES, JSON_BOUNDS } from "../../platform/body-limits.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
import { JsonReader, JsonTooLarge } from "../../platform/json/json-reader.ts";
import { type BodyLimits, bodyTooLarge, hasBody, readBody } from "./body.ts";

const JSON_TYPES = ["application/json"];

/** Whether a body says that it is JSON. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/i.test(headers["content-type"] ?? "");
}

/** A body, if there is one, must be JSON in UTF-8 (RFC 8259 section 8.1). @throws Refusal unsupported_media_type */
export function refuseUnlessJson(req: IncomingMessage, types: readonly string[] = JSON_TYPES): void {
  if (!hasBody(req)) return;
  const [type, ...parameters] = (req.headers["content-type"] ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (!types.includes(type!)) {
    throw new Refusal("unsupported_media_type", `Send the body as \`Content-Type: ${types.join("` or `")}\`.`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new Refusal("unsupported_media_type", "Send the body in UTF-8.");
  }
}

/** What a document with a list of URLs may have besides it, and from which size on the list is kept as it came. */
const WITHOUT_LIST = BODIES.other;
const URL_LIST = { name: "urls", bytes: BODIES.inline, elementBytes: BODIES.inline };

/**
 * Reads a body of JSON as it comes, and gives what it holds to `use`: a long list of URLs as a `RawList`.
 * @throws Refusal payload_too_large, unsupported_media_type (compressed), unavailable, invalid_request (incomplete, or more of
 * something than a document may have)
 */
export async function withJson<T>(
  req: IncomingMessage,
  res: ServerResponse,
  { max, timeMs }: BodyLimits,
  use: (document: JsonReader) => Promise<T>,
): Promise<T> {
  const bytes = Math.min(max, WITHOUT_LIST);
  const document = new JsonReader({ ...JSON_BOUNDS, bytes }, URL_LIST, Number(req.headers["content-length"] ?? 0));
  const reader = { write: (piece: Buffer) => write(document, piece) };
  return readBody(req, res, { max, timeMs, reader }, () => use(document));
}

/** A document that was read before. @param list which list is kept as it came @throws Refusal as `withJson` */
export function jsonOf(body: Buffer, list: typeof URL_LIST | null = URL_LIST): JsonReader {
  const document = new JsonReader({ ...JSON_BOUNDS, bytes: body.length }, list, body.length);
  write(document, body);
  return document;
}

function write(document: JsonReader, piece: Buffer): void {
  try {
    document.write(piece);
  } catch (thrown) {
    throw thrown instanceof JsonTooLarge ? refusalOf(thrown) : thrown;
  }
}

/** What a document is; an empty one is an empty object. @throws Refusal invalid_request */
export function parseJson(document: JsonReader): unknown {
  if (document.bytes === 0) return {};
  try {
    return document.end();
  } catch {
    throw new Refusal("invalid_request", "The body is not JSON in UTF-8. Nothing was changed.", {
      issues: [{ path: "", message: "not JSON in UTF-8" }],
    });
  }
}

const BOUND_WORDS: Readonly<Record<Exclude<JsonTooLarge["bound"], "bytes">, (most: string) => string>> = {
  depth: (most) => `is nested deeper than ${most} levels`,
  values: (most) => `has more than ${most} values`,
  members: (most) => `has more than ${most} fields`,
  nameBytes: (most) => `has a field whose name is longer than ${most} bytes`,
  elementBytes: (most) => `has a URL that is longer than ${most} bytes`,
};

function refusalOf({ bound, most }: JsonTooLarge): Refusal {
  if (bound === "bytes") return bodyTooLarge(most);
  const message = BOUND_WORDS[bound](formatNumber(most));
  const issues = [{ path: "", message }];
  return new Refusal("invalid_request", `The body ${message}. Nothing was changed.`, { issues });
}
