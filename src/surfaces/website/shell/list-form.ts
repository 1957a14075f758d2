import busboy from "busboy";
import type { Request } from "express";
import { BODIES } from "../../../platform/body-limits.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatNumber } from "../../../platform/format.ts";

/** What a form with a list sent. */
export interface ListForm {
  /** The values of each field, as the parser of ordinary forms gives them. */
  readonly body: Readonly<Record<string, readonly string[]>>;
  /** The file that was chosen. */
  readonly file: UploadedFile | null;
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const MAX_FIELDS = 40;

/** Permits to hold a form with a list in memory. Whoever is not signed in gets one of them at most. */
export class ListFormSlots {
  #inUse = 0;
  #signedOut = 0;

  /** Reads a form and gives it to `use`, holding a slot meanwhile. @throws Refusal unavailable when none is free */
  async read<T>(req: Request, isSignedIn: boolean, use: (form: ListForm) => Promise<T>): Promise<T> {
    const isFree = this.#inUse < BODIES.listFormsAtOnce && (isSignedIn || this.#signedOut === 0);
    if (!isFree) throw busy();
    this.#inUse += 1;
    if (!isSignedIn) this.#signedOut += 1;
    try {
      return await use(await readListForm(req));
    } finally {
      this.#inUse -= 1;
      if (!isSignedIn) this.#signedOut -= 1;
    }
  }
}

/**
 * Reads `multipart/form-data` (RFC 7578) or a form without a file, of up to 2 MB in all.
 * @throws Refusal payload_too_large, invalid_request
 */
function readListForm(req: Request): Promise<ListForm> {
  if (Number(req.headers["content-length"] ?? 0) > BODIES.listForm) throw tooLarge();
  if (req.headers["content-encoding"] !== undefined) throw unreadable();
  const parser = parserFor(req);
  return new Promise((resolve, reject) => {
    const body: Record<string, string[]> = Object.create(null);
    let file: Promise<UploadedFile> | null = null;
    let size = 0;
    const fail = (refusal: Refusal) => {
      req.unpipe(parser);
      // What is left unread is discarded, so that the client reads the answer.
      req.resume();
      reject(refusal);
    };
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODIES.listForm) fail(tooLarge());
    });
    req.on("close", () => req.complete || fail(unreadable()));
    parser.on("field", (name, value) => {
      body[name] = [...(body[name] ?? []), value];
    });
    parser.on("file", (_name, stream, { filename }) => {
      file = readFile(stream, filename ?? "");
      file.catch(() => undefined);
    });
    for (const limit of ["fieldsLimit", "filesLimit", "partsLimit"] as const)
      parser.on(limit, () => fail(unreadable()));
    parser.on("error", () => fail(unreadable()));
    parser.on("close", () => {
      const done = (found: UploadedFile | null) => resolve({ body, file: found?.name === "" ? null : found });
      if (file === null) done(null);
      else file.then(done, () => fail(unreadable()));
    });
    req.pipe(parser);
  });
}

/** @throws Refusal for a type that is no form's */
function parserFor(req: Request) {
  const limits = { fields: MAX_FIELDS, files: 1, parts: MAX_FIELDS + 1, fieldSize: BODIES.listForm };
  try {
    return busboy({ headers: req.headers, limits, defParamCharset: "utf8" });
  } catch {
    throw unreadable();
  }
}

async function readFile(stream: AsyncIterable<Buffer>, name: string): Promise<UploadedFile> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  // A browser sends an empty file without a name where none was chosen.
  return { name, bytes: Buffer.concat(chunks) };
}

function tooLarge(): Refusal {
  const message = `The form is over ${formatNumber(BODIES.listForm)} bytes. Split the list, or put it into a sitemap and give its address. Nothing was submitted.`;
  return new Refusal("payload_too_large", message, { max_bytes: BODIES.listForm });
}

function unreadable(): Refusal {
  return new Refusal(
    "invalid_request",
    "The form could not be read. Go back and send it again. Nothing was submitted.",
  );
}

function busy(): Refusal {
  const message =
    "Several long lists are being read at this moment. Go back, where your list still is, and send it again in a few seconds.";
  return new Refusal("unavailable", message, {}, { "Retry-After": "3" });
}
