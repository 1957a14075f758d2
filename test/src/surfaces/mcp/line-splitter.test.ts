import { once } from "node:events";
import { expect, test } from "vitest";
import { wholeLines } from "../../../../src/surfaces/mcp/line-splitter.ts";

async function piecesOf(chunks: readonly string[], max = 1_000): Promise<string[]> {
  const lines = wholeLines(max);
  const pieces: string[] = [];
  lines.on("data", (piece) => pieces.push(String(piece)));
  for (const chunk of chunks) lines.write(Buffer.from(chunk));
  lines.end();
  await once(lines, "end");
  return pieces;
}

test("a line is passed on whole, however it was split", async () => {
  expect(await piecesOf(["{", '"a"', ":1}", "\n"])).toEqual(['{"a":1}\n']);
});

test("lines of one chunk are passed on together, and an incomplete one waits for its end", async () => {
  expect(await piecesOf(["a\nb\nc", "d\ne"])).toEqual(["a\nb\n", "cd\n"]);
});

test("a line over the limit is passed on as it is, for the SDK to refuse", async () => {
  expect(await piecesOf(["aaaa", "bbbb", "cccc"], 10)).toEqual(["aaaabbbbcccc"]);
});
