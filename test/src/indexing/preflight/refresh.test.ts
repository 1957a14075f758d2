import { expect, test } from "vitest";
import { instantRefresh } from "../../../../src/indexing/preflight/refresh.ts";

/** By the steps of the HTML standard for a refresh, and Google's rule that 0 seconds are a redirect. */
const VALUES: readonly (readonly [value: string, target: string | null])[] = [
  ["0;url=/x", "/x"],
  ["0; URL=https://example.com/?a=1;b=2", "https://example.com/?a=1;b=2"],
  ["0;URL='/x'", "/x"],
  ['0;url="/x" and more', "/x"],
  ["0;url='/x", "/x"],
  ["0;url = /x", "/x"],
  [" 0 ; url=/x ", "/x"],
  ["0,url=/x", "/x"],
  ["0 url=/x", "/x"],
  ["0;/x", "/x"],
  ["0 /x", "/x"],
  ["0;'/x'", "/x"],
  ["00;url=/x", "/x"],
  ["0.9;url=/x", "/x"],
  ["0.00;url=/x", "/x"],
  [".5;url=/x", "/x"],
  [".25;url=/x", "/x"],
  ["0;\nurl=/x", "/x"],
  ["0;urls", "urls"],
  ["1;url=/x", null],
  ["5; url=/x", null],
  ["10;url=/x", null],
  ["01;url=/x", null],
  ["0", null],
  ["0;", null],
  ["0; ", null],
  ["0;url=", null],
  ["0;url=''", null],
  ["0url=/x", null],
  ["0x;url=/x", null],
  ["-0;url=/x", null],
  ["url=/x", null],
  ["", null],
];

test.each(VALUES)("%j leads to %j", (value, target) => {
  expect(instantRefresh(value)).toBe(target);
});
