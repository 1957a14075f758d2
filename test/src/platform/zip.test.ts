import { expect, test } from "vitest";
import { type ZipEntry, zipOf } from "../../../src/platform/zip.ts";
import { unzip } from "../../support/service/unzip.ts";

const AT = Date.parse("2026-02-03T04:05:06Z");

async function* texts(...pieces: string[]): AsyncIterable<string> {
  yield* pieces;
}

async function archive(...entries: ZipEntry[]): Promise<Buffer> {
  async function* each() {
    yield* entries;
  }
  const pieces = [];
  for await (const piece of zipOf(each(), AT)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("files come back as they were: empty, large, with names and text outside ASCII", async () => {
  const large = Array.from({ length: 3_000 }, (_, n) => `line ${n} äöü ${"x".repeat(n % 97)}\n`);
  const files = unzip(
    await archive(
      { name: "empty.txt", text: texts() },
      { name: "json/größe.json", text: texts("[", "1", "]") },
      { name: "large.txt", text: texts(...large) },
    ),
  );
  expect([...files]).toEqual([
    ["empty.txt", ""],
    ["json/größe.json", "[1]"],
    ["large.txt", large.join("")],
  ]);
});

test("an archive without files is one", async () => {
  expect(unzip(await archive())).toEqual(new Map());
});

test("an error of a text is thrown, and ends the archive", async () => {
  async function* broken(): AsyncIterable<string> {
    yield "some";
    throw new Error("the rows cannot be read");
  }
  await expect(archive({ name: "x", text: broken() })).rejects.toThrow("the rows cannot be read");
});
