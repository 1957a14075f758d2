import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { errorReport } from "../../../../src/platform/errors/error-format.ts";
import { scratchFolder } from "../../../support/service/cli.ts";

const SOURCE = `
/** Fails. */
export function fails(): never {
  throw new Error("broken");
}
`;

/** A stack trace of the source, bundled as the program is. */
function traceOf(hasMap: boolean): string {
  const folder = scratchFolder();
  const [source, bundle] = [join(folder, "fails.ts"), join(folder, "bundle.js")];
  writeFileSync(source, SOURCE);
  const sourcemap = hasMap ? "external" : false;
  buildSync({ entryPoints: [source], outfile: bundle, bundle: true, minifyWhitespace: true, format: "esm", sourcemap });
  if (hasMap) writeFileSync(`${bundle}.map.gz`, gzipSync(readFileSync(`${bundle}.map`)));
  const error = new Error("broken");
  error.stack = `Error: broken\n    at fails (file://${bundle}:1:25)\n    at run (node:internal/x:7:1)`;
  return errorReport(error);
}

test("a stack trace names the places of the sources, by the map of the bundle", () => {
  expect(traceOf(true)).toMatch(
    /^Error: broken\n {4}at fails \((?!file:)\S+\/fails\.ts:4:\d+\)\n {4}at run \(node:internal/,
  );
});

test("without a map a stack trace stays as it is", () => {
  expect(traceOf(false)).toMatch(/at fails \(file:\S+\/bundle\.js:1:25\)/);
});
