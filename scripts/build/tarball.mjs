// A package as npm reads it: a tar archive (POSIX.1-1988, ustar), compressed by gzip. The same files always make the same bytes,
// so that every node of a service answers with the same ETag; `npm pack` would take as long as the whole build.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** The files below a folder, each within `package/`. */
export function tarballOf(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  const parts = names.flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    return [header(`package/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

function header(name, size) {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`The path is too long for a package: ${name}`);
  const octal = (value, at, length) => block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  block.write(name, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}
