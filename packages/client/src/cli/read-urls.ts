import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { UsageError } from "./command.ts";

/** Most URLs of one call, as the service has it. */
const MOST = 20_000;
/** Most characters of a line; longer ones belong to a file that is no list. */
const LINE = 16_384;

/** The URLs that are meant: addresses as they are, files by the lines in them, `-` by the lines of standard input. */
export async function readUrls(operands: readonly string[], input: AsyncIterable<Uint8Array>): Promise<string[]> {
  const urls: string[] = [];
  for (const operand of operands) {
    if (/^https?:\/\//i.test(operand)) urls.push(operand);
    else if (operand === "-") await addLines(urls, input, "standard input");
    else await addLines(urls, await fileOf(operand), operand);
  }
  if (urls.length === 0)
    throw new UsageError("No URL is given: name URLs, a file with a URL on each line, or - for standard input.");
  return urls;
}

/** @throws UsageError */
async function fileOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() || found?.isFIFO()) return createReadStream(path);
  const words = found ? "is not a file" : "is neither a URL, which begins with https://, nor a file";
  throw new UsageError(`"${path}" ${words}.`);
}

/**
 * Reads lines until there are too many, so that a huge file costs nothing. It takes the line ends of Windows, a byte order mark,
 * and UTF-16, as PowerShell writes it; empty lines and those that begin with # are left out.
 */
async function addLines(urls: string[], chunks: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let rest = "";
  const add = (line: string) => {
    const url = line.trim();
    if (url === "" || url.startsWith("#")) return;
    if (urls.push(url) > MOST) throw new UsageError(`${name} has more than 20,000 URLs. Split it into several files.`);
  };
  for await (const chunk of chunks) {
    // Its mark is dropped by the decoder.
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? "utf-16le" : "utf-8");
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop()!;
    for (const line of lines) add(line);
    if (rest.length > LINE)
      throw new UsageError(`${name} is not a list of URLs: it has a line of more than 16,384 characters.`);
  }
  add(rest + (decoder?.decode() ?? ""));
}
