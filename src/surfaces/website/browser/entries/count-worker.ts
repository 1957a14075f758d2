/** Reads and counts lists of URLs in a thread of its own, so that typing never waits. */
import { UnreadableList } from "../../../../platform/lists/limits.ts";
import { withList, withSchemes } from "../../../../platform/lists/list-lines.ts";
import { readList, readListFile } from "../../../../platform/lists/read-list.ts";
import { atOnce } from "../../../../platform/lists/steps.ts";
import { countOf } from "../../../../platform/lists/words.ts";
import type { CountAnswer, CountRequest } from "../count-messages.ts";

const page = globalThis as unknown as {
  onmessage: (event: { data: CountRequest }) => void;
  postMessage(answer: CountAnswer): void;
};

page.onmessage = ({ data }) => {
  try {
    page.postMessage({ id: data.id, ...answered(data) });
  } catch (thrown) {
    if (!(thrown instanceof UnreadableList)) throw thrown;
    page.postMessage({ id: data.id, count: null, problem: thrown.what });
  }
};

function answered({ text, file, addHttps }: CountRequest): Omit<CountAnswer, "id"> {
  const list = file ? readListFile(new Uint8Array(file)) : readList(text);
  if (file) return { count: countOf(list), text: atOnce(withList(text, list)) };
  return { count: countOf(list), ...(addHttps ? { text: atOnce(withSchemes(text, list.offered)) } : {}) };
}
