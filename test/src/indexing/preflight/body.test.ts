import { expect, test } from "vitest";
import { bytesOf } from "../../../../src/indexing/preflight/body.ts";
import { FetchFailure, type FetchProblem, type Visit } from "../../../../src/platform/http-client/http-client.ts";

/** An answer whose body comes in these pieces, and then fails. */
function answer(pieces: readonly string[], problem?: FetchProblem) {
  const seen = { pieces: 0, isDropped: false };
  async function* body() {
    for (const piece of pieces) {
      seen.pieces += 1;
      yield Buffer.from(piece);
    }
    if (problem) throw new FetchFailure(problem);
  }
  const drop = () => {
    seen.isDropped = true;
  };
  const visit: Visit = { status: 200, url: "https://site.example/", headers: {}, body: body(), drop };
  return { visit, seen };
}

async function read(visit: Visit, most: number): Promise<string> {
  let text = "";
  for await (const chunk of bytesOf(visit, most)) text += chunk.toString();
  return text;
}

test.each([
  [12, "abcdefghi", 3],
  [9, "abcdefghi", 3],
  [7, "abcdefg", 3],
  [6, "abcdef", 2],
  [2, "ab", 1],
])("of nine bytes the first %i: %s, and no piece more is taken", async (most, text, pieces) => {
  const { visit, seen } = answer(["abc", "def", "ghi"]);
  expect(await read(visit, most)).toBe(text);
  expect(seen).toEqual({ pieces, isDropped: true });
});

test("too large for the visit is the end of what is read", async () => {
  const { visit, seen } = answer(["abc"], "too_large");
  expect(await read(visit, 100)).toBe("abc");
  expect(seen.isDropped).toBe(true);
});

test.each(["timeout", "broken"] as const)("%s: passes through, and the rest is let go of", async (problem) => {
  const { visit, seen } = answer(["abc"], problem);
  await expect(read(visit, 100)).rejects.toMatchObject({ problem });
  expect(seen.isDropped).toBe(true);
});
