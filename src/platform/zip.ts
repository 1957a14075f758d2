import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file of a ZIP archive. */
export interface ZipEntry {
  /** Its path, with `/` between folders. */
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/** Largest size and position that the format has room for without its 64-bit form. */
const MOST = 0xffff_ffff;

const VERSION = 20;
/** Sizes follow the data (bit 3), names are UTF-8 (bit 11). */
const FLAGS = 0x0808;
const DEFLATE = 8;

/**
 * Writes a ZIP archive piece by piece (PKWARE APPNOTE 6.3.10): neither the archive nor a file is ever whole in memory. Each
 * entry is read before the next one is requested.
 * @param at time of all files, in ms
 * @throws Error for an archive, or a file in it, over 4 GiB
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, at: number): AsyncIterable<Buffer> {
  const directory: Buffer[] = [];
  let position = 0;
  for await (const { name, text } of entries) {
    const head = { name: Buffer.from(name), time: dosTime(at), position };
    const local = localHeader(head);
    yield local;
    position += local.length;
    const sums = { crc: 0, size: 0, packed: 0 };
    for await (const data of deflated(text, sums)) {
      yield data;
      position += data.length;
    }
    if (sums.size > MOST || position > MOST) throw new Error("The archive is larger than 4 GiB.");
    const descriptor = numbers([4, 0x0807_4b50], [4, sums.crc], [4, sums.packed], [4, sums.size]);
    yield descriptor;
    position += descriptor.length;
    directory.push(directoryHeader({ ...head, ...sums }));
  }
  const listing = Buffer.concat(directory);
  yield listing;
  yield numbers(
    ...([
      [4, 0x0605_4b50],
      [2, 0],
      [2, 0],
      [2, directory.length],
      [2, directory.length],
    ] as const),
    ...([
      [4, listing.length],
      [4, position],
      [2, 0],
    ] as const),
  );
}

interface Sums {
  /** CRC-32 of the text. */
  crc: number;
  /** Bytes of the text. */
  size: number;
  /** Bytes that they are packed into. */
  packed: number;
}

async function* deflated(text: AsyncIterable<string>, sums: Sums): AsyncIterable<Buffer> {
  const deflate = createDeflateRaw();
  const written = write();
  // It is awaited below; until then a failure must not count as unhandled.
  written.catch((thrown) => deflate.destroy(thrown));
  for await (const data of deflate as AsyncIterable<Buffer>) {
    sums.packed += data.length;
    yield data;
  }
  await written;

  async function write(): Promise<void> {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      sums.crc = crc32(bytes, sums.crc);
      sums.size += bytes.length;
      if (!deflate.write(bytes)) await once(deflate, "drain");
    }
    deflate.end();
  }
}

interface Head {
  readonly name: Buffer;
  readonly time: number;
  readonly position: number;
}

function localHeader({ name, time }: Head): Buffer {
  const fixed = numbers(
    ...([
      [4, 0x0403_4b50],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATE],
      [4, time],
    ] as const),
    ...([
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ] as const),
  );
  return Buffer.concat([fixed, name]);
}

function directoryHeader({ name, time, position, crc, size, packed }: Head & Sums): Buffer {
  const fixed = numbers(
    ...([
      [4, 0x0201_4b50],
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATE],
      [4, time],
    ] as const),
    ...([
      [4, crc],
      [4, packed],
      [4, size],
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [4, 0],
      [4, position],
    ] as const),
  );
  return Buffer.concat([fixed, name]);
}

/** Unsigned numbers, each with its length in bytes, little-endian. */
function numbers(...all: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of all) offset = buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}

/** A time in UTC as MS-DOS has it: the date in the upper 16 bits, the time to two seconds in the lower. */
function dosTime(at: number): number {
  const time = new Date(at);
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return date * 0x1_0000 + clock;
}
