import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { Day, relativeTime, Time } from "../../../../../src/surfaces/website/components/time.tsx";

test("times are shown in UTC, whatever the time zone of the process", () => {
  const at = Date.parse("2026-11-21T23:59:59.999Z");
  expect(renderToString(h(Time, { at }))).toBe(
    '<time datetime="2026-11-21T23:59:59.999Z" data-local="time">21\u00a0Nov\u00a02026, 23:59\u00a0UTC</time>',
  );
  expect(renderToString(h(Day, { at }))).toContain(">21\u00a0Nov\u00a02026</time>");
  const newYear = renderToString(h(Time, { at: "2026-01-05T00:00:00.000Z" }));
  expect(newYear).toContain("5\u00a0Jan\u00a02026, 00:00\u00a0UTC");
  expect(renderToString(h(Time, { at: null }))).toContain("–");
});

test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [-MINUTE, "1 minute ago"],
  [-HOUR + 1, "59 minutes ago"],
  [2 * HOUR, "in 2 hours"],
  [-DAY, "1 day ago"],
  [1_500 * DAY, "in 1,500 days"],
])("%d ms away: %s", (away, words) => {
  expect(relativeTime(1e12 + away, 1e12)).toBe(words);
});
