import { expect, test } from "vitest";
import { bytesOf } from "../../../../src/indexing/preflight/body.ts";
import {
  FetchFailure,
  type FetchProblem,
  type PublicResponse,
} from "../../../../src/platform/http-client/http-client.ts";

/** An answer whose body comes in these pieces, and then fails. */
function answer(pieces: readonly string[], problem?: FetchProblem) {
  const seen = { pieces: 0, isDiscarded: false };
  async function* body() {
    for (const piece of pieces) {
      seen.pieces += 1;
      yield Buffer.from(piece);
    }
    if (problem) throw new FetchFailure(problem);
  }
  const discard = () => {
    seen.isDiscarded = true;
  };
  const head = { status: 200, url: "https://site.example/", headers: {}, headerLines: () => [] };
  const response: PublicResponse = { ...head, body: body(), discard };
  return { response, seen };
}

async function read(response: PublicResponse, most: number): Promise<string> {
  let text = "";
  for await (const chunk of bytesOf(response, most)) text += chunk.toString();
  return text;
}

test.each([
  [12, "abcdefghi", 3],
  [9, "abcdefghi", 3],
  [7, "abcdefg", 3],
  [6, "abcdef", 2],
  [2, "ab", 1],
])("the first %i of nine bytes are %s, and no further chunk is read", async (most, text, pieces) => {
  const { response, seen } = answer(["abc", "def", "ghi"]);
  expect(await read(response, most)).toBe(text);
  expect(seen).toEqual({ pieces, isDiscarded: true });
});

test("a response that is too large ends what is read, without an error", async () => {
  const { response, seen } = answer(["abc"], "too_large");
  expect(await read(response, 100)).toBe("abc");
  expect(seen.isDiscarded).toBe(true);
});

test.each(["timeout", "broken"] as const)(
  "%s: the error is thrown, and the rest of the response is discarded",
  async (problem) => {
    const { response, seen } = answer(["abc"], problem);
    await expect(read(response, 100)).rejects.toMatchObject({ problem });
    expect(seen.isDiscarded).toBe(true);
  },
);
