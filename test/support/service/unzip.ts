import { crc32, inflateRawSync } from "node:zlib";

/** The files of a ZIP archive by name, found by its directory, each checked against its CRC-32. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const [count, directory] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)];
  const files = new Map<string, string>();
  for (let at = directory, n = 0; n < count; n++) {
    if (archive.readUInt32LE(at) !== 0x0201_4b50) throw new Error("the directory is damaged");
    const [crc, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const nameLength = archive.readUInt16LE(at + 28);
    const start = archive.readUInt32LE(at + 42);
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const text = inflateRawSync(archive.subarray(data, data + packed));
    if (text.length !== size || crc32(text) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, text.toString());
    at += 46 + nameLength;
  }
  return files;
}
