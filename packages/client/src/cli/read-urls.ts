import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type Context, UsageError } from "./command.ts";
import { countOf, readListStream, UnreadableList, withHttps } from "./list-reader.ts";
import { plain } from "./safe-terminal.ts";

/** Most entries of a file, as many as one call may have. */
const MOST = 20_000;

/** What operands come to: URLs that are submitted, and what is left out here already. */
export interface ReadUrls {
  readonly urls: readonly string[];
  readonly duplicates: number;
  /** Entries of files that are no URL, as they are written. */
  readonly invalid: readonly string[];
}

/**
 * Reads the URLs that are meant: addresses as they are, files by the list, table or sitemap in them, `-` by standard input. Says on
 * standard error how a file was read and what was left out.
 * @param addHttps whether addresses without a scheme, such as `www.example.com`, are taken with https
 * @throws UsageError
 */
export async function readUrls(
  operands: readonly string[],
  { input, err }: Pick<Context, "input" | "err">,
  addHttps: boolean,
): Promise<ReadUrls> {
  const urls: string[] = [];
  const invalid: string[] = [];
  let duplicates = 0;
  for (const operand of operands) {
    if (/^https?:\/\//i.test(operand)) {
      urls.push(operand);
      continue;
    }
    const file = operand === "-" ? input : await fileOf(operand, addHttps);
    if (typeof file === "string") {
      urls.push(file);
      continue;
    }
    const name = operand === "-" ? "Standard input" : operand;
    const list = await readListStream(file, MOST).catch((thrown) => {
      throw thrown instanceof UnreadableList
        ? new UsageError(`${name} is not a list of URLs: ${thrown.what}.`)
        : thrown;
    });
    const { about, left, offer, invalid: count } = countOf(list);
    if (list.format === "index") throw new UsageError(`${name}: ${about} Use --sitemap for an address.`);
    urls.push(...list.urls, ...(addHttps ? list.offered.map(({ url }) => url) : []));
    invalid.push(...list.refused.map(({ text }) => text));
    if (!addHttps) invalid.push(...list.offered.map(({ text }) => text));
    duplicates += list.duplicates;
    const more = count > left.length ? [`and ${count - left.length} more lines`] : [];
    const offered = offer === null || addHttps ? [] : [`${offer}. Add --add-https to submit them.`];
    for (const line of [about, ...left, ...more, ...offered]) if (line) err(`${plain(`${name}: ${line}`)}\n`);
  }
  if (urls.length === 0)
    throw new UsageError("No URL is given: name URLs, a file with a URL on each line, or - for standard input.");
  return { urls, duplicates, invalid };
}

/** The file at a path, or the URL that was meant. @throws UsageError */
async function fileOf(path: string, addHttps: boolean): Promise<AsyncIterable<Uint8Array> | string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() || found?.isFIFO()) return createReadStream(path);
  const meant = found ? null : withHttps(path);
  if (meant !== null && addHttps) return meant;
  const words = found ? "is not a file" : "is neither a URL, which begins with https://, nor a file";
  throw new UsageError(`"${path}" ${words}.${meant === null ? "" : ` With --add-https it is ${meant}`}`);
}
