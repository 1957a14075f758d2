import { expect, test } from "vitest";
import { Downloads } from "../../../../src/indexing/sitemap/downloads.ts";
import type { OpenedSitemap } from "../../../../src/indexing/sitemap/fetch.ts";

const KB = Buffer.alloc(1024);
const eventLoopTurns = async (count = 50) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Documents of `kilobytes` each, which tell how much of them was sent and who was let go of. */
function documents(kilobytes: number) {
  const sent = new Map<string, number>();
  const dropped: string[] = [];
  const open = async (url: string): Promise<OpenedSitemap> => {
    sent.set(url, 0);
    async function* body() {
      for (let i = 0; i < kilobytes; i++) {
        sent.set(url, sent.get(url)! + 1);
        yield KB;
      }
    }
    return { url, body: body(), charset: null, discard: () => void dropped.push(url) };
  };
  return { sent, dropped, open };
}

async function sizeOf(chunks: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

test("documents are downloaded ahead up to a number of bytes, and then their servers have to wait", async () => {
  const { sent, open } = documents(100);
  const downloads = new Downloads(["a", "b", "c", "d"], { concurrency: 3, bufferBytes: 10 * 1024 }, open);
  await eventLoopTurns();
  const total = () => [...sent.values()].reduce((sum, count) => sum + count, 0);
  expect([...sent.keys()]).toEqual(["a", "b", "c"]);
  // The bound, and one piece of each that found it full.
  expect(total()).toBeLessThanOrEqual(10 + 3);
  for (const index of [0, 1, 2, 3]) expect(await sizeOf(downloads.read(index))).toBe(100 * 1024);
  expect(total()).toBe(400);
});

test("the document that is read next gets through, even if the later ones have filled the buffer", async () => {
  const { open } = documents(50);
  let letFirst: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => {
    letFirst = resolve;
  });
  const downloads = new Downloads(["first", "b", "c"], { concurrency: 3, bufferBytes: 4 * 1024 }, async (url) => {
    if (url === "first") await wait;
    return open(url);
  });
  await eventLoopTurns();
  letFirst();
  for (const index of [0, 1, 2]) expect(await sizeOf(downloads.read(index))).toBe(50 * 1024);
});

test("an error is thrown to the reader of its document only", async () => {
  const { open } = documents(1);
  const downloads = new Downloads(["a", "b", "c"], { concurrency: 3, bufferBytes: 1024 }, async (url) => {
    if (url === "b") throw new Error("b is broken");
    return open(url);
  });
  await eventLoopTurns();
  expect(await sizeOf(downloads.read(0))).toBe(1024);
  await expect(sizeOf(downloads.read(1))).rejects.toThrow("b is broken");
  expect(await sizeOf(downloads.read(2))).toBe(1024);
});

test("a document that is not read to its end is discarded, and the next download begins", async () => {
  const { dropped, sent, open } = documents(100);
  const downloads = new Downloads(["a", "b"], { concurrency: 1, bufferBytes: 2 * 1024 }, open);
  for await (const _ of downloads.read(0)) break;
  expect(dropped).toEqual(["a"]);
  await eventLoopTurns();
  expect(sent.get("a")).toBeLessThan(6);
  expect(await sizeOf(downloads.read(1))).toBe(100 * 1024);
});

test("close discards what is downloaded, and begins nothing more", async () => {
  const { dropped, sent, open } = documents(100);
  const downloads = new Downloads(["a", "b", "c"], { concurrency: 2, bufferBytes: 2 * 1024 }, open);
  await eventLoopTurns();
  downloads.close();
  await eventLoopTurns();
  expect(dropped).toEqual(["a", "b"]);
  expect([...sent.keys()]).toEqual(["a", "b"]);
});
