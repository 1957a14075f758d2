/** Counts lists of URLs in a thread of its own, so that typing never waits. */
import { countEntries } from "../../../../platform/urls/count.ts";
import { entriesOf, linesText } from "../../../../platform/urls/entries.ts";
import type { CountAnswer, CountRequest } from "../count-messages.ts";

const page = globalThis as unknown as {
  onmessage: (event: { data: CountRequest }) => void;
  postMessage(answer: CountAnswer): void;
};

page.onmessage = ({ data: { id, text, format } }) => {
  const entries = entriesOf(text, format);
  page.postMessage({ id, count: countEntries(entries), ...(format === "lines" ? {} : { lines: linesText(entries) }) });
};
