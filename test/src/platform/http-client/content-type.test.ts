import { expect, test } from "vitest";
import { contentTypeOf } from "../../../../src/platform/http-client/content-type.ts";

/** The examples of the Fetch standard, and those of the web platform tests (fetch/content-type). */
const TYPES: readonly (readonly [lines: readonly string[], essence: string | null, charset?: string])[] = [
  [["text/html"], "text/html"],
  [["text/html;charset=gbk"], "text/html", "gbk"],
  [["text/plain;charset=gbk, text/html"], "text/html"],
  [["text/html;charset=gbk;a=b, text/html;x=y"], "text/html", "gbk"],
  [["text/html;charset=gbk;a=b", "text/html;x=y"], "text/html", "gbk"],
  [["text/html;x=y", "text/html;charset=gbk"], "text/html", "gbk"],
  [["text/html;charset=gbk", "text/html;charset=windows-1255"], "text/html", "windows-1255"],
  [["text/html;charset=gbk", "text/html;charset=windows-1255", "text/html"], "text/html", "gbk"],
  [["text/html;charset=gbk", "x/x", "text/html;x=y"], "text/html"],
  [["text/plain", "*/*"], "text/plain"],
  [["text/html", "*/*"], "text/html"],
  [["*/*", "text/html"], "text/html"],
  [["text/plain", "*/*;charset=gbk"], "text/plain"],
  [["text/html", "cannot-parse"], "text/html"],
  [["cannot-parse"], null],
  [["*/*"], null],
  [["text/html", "text/plain"], "text/plain"],
  [["text/plain", "text/html"], "text/html"],
  [['text/html;"'], "text/html"],
  [['text/html;";charset=gbk'], "text/html", "gbk"],
  [['text/html;charset="gbk"'], "text/html", "gbk"],
  [['text/html;charset=gbk"'], "text/html", 'gbk"'],
  [['text/html;";" text/plain'], "text/html"],
  [['text/plain;a=",text/html;charset=gbk'], "text/plain"],
  [['text/plain;a=","', "text/html"], "text/html"],
  [['text/plain;a="\\",text/html"'], "text/plain"],
  [["TEXT/HTML; Charset=UTF-16LE"], "text/html", "UTF-16LE"],
  [["  text/html ;charset = utf-8"], "text/html"],
  [["text/html, , "], "text/html"],
  [[","], null],
  [[""], null],
  [[], null],
];

test.each(TYPES.map(([lines, essence, charset = null]) => ({ lines, essence, charset })))(
  "$lines is $essence, $charset",
  ({ lines, essence, charset }) => {
    expect(contentTypeOf(lines)).toEqual(essence === null ? null : { essence, charset });
  },
);
