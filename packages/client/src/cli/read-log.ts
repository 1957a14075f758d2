import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { type Context, UsageError } from "./command.ts";

/** Most bytes of a part before it is packed. Packed it is never larger than the service takes, 4 MiB. */
const PART = 4_000_000;
const NEWLINE = 0x0a;

export interface Log {
  readonly name: string;
  /** As it is on disk; null where that is not known. */
  readonly bytes: number | null;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file, or standard input for `-`. @throws UsageError */
export async function openLog(path: string, { input }: Pick<Context, "input">): Promise<Log> {
  if (path === "-") return { name: "Standard input", bytes: null, chunks: input };
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() && !found?.isFIFO()) throw new UsageError(`"${path}" is not a file.`);
  return { name: path, bytes: found.isFile() ? found.size : null, chunks: createReadStream(path) };
}

/**
 * The parts of a log, each of whole lines, as it is read and unpacked. They are the same each time that a file is read, as far as it
 * is the same, so that the service knows them again.
 * @param onRead gets the bytes that were read from the file
 * @throws UsageError
 */
export async function* partsOf({ name, chunks }: Log, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(name, counted(chunks, onRead))) {
    pieces.push(chunk);
    size += chunk.length;
    while (size >= PART) {
      const all = Buffer.concat(pieces, size);
      const end = endOfPart(name, all);
      yield all.subarray(0, end);
      pieces = [all.subarray(end)];
      size -= end;
    }
  }
  if (size > 0) yield Buffer.concat(pieces, size);
}

/** Behind the last whole line of the part that `bytes` begins with. A line that is longer is cut. @throws UsageError */
function endOfPart(name: string, bytes: Buffer): number {
  if (/^\s*\[\s*\{/.test(bytes.toString("latin1", 0, 100)))
    throw new UsageError(`${name} is a JSON list of over ${PART / 1e6} MB. Make it lines first: jq -c '.[]' < FILE`);
  const end = bytes.lastIndexOf(NEWLINE, PART - 1);
  return end === -1 ? PART : end + 1;
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

/** A log that is packed is known by its first bytes, whatever its name. One that is cut off is read as far as it goes. */
async function* unpacked(name: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await chunks.next();
  if (first.done) return;
  const all = resumed(first.value, chunks);
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all;
    return;
  }
  try {
    yield* Readable.from(all).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
  } catch (thrown) {
    throw new UsageError(`${name} cannot be unpacked: ${(thrown as Error).message}.`);
  }
}

async function* resumed(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
