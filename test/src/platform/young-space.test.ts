import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Starts, and works as a service does: a call keeps some of what it makes for a while. Says the MB of the space before and after. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from "node:v8";
  const { startSmall } = await import(process.argv[1]);
  let started;
  globalThis.setTimeout = (work) => { started = work; return { unref() {} }; };
  startSmall();
  const megabytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 1e6;
  const open = [];
  const work = (calls) => {
    for (let n = 0; n < calls; n++) {
      open[n % 100] = Array.from({ length: 20 }, (_, at) => ({ n, at }));
      for (let made = 0; made < 50; made++) JSON.parse('{"a":[1,2,3]}');
    }
    return megabytes();
  };
  const atStart = work(20_000);
  started();
  console.log(JSON.stringify([atStart, work(8_000)]));
`;

test("law: the space for young objects stays small while a service starts, and grows at the first load", () => {
  const file = join(packageRoot, "src/platform/young-space.ts");
  const args = ["--import", "tsx", "--input-type=module", "--eval", PROGRAM, file];
  const [atStart, loaded] = JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot, encoding: "utf8" }));
  expect(atStart).toBeLessThan(5);
  expect(loaded).toBeGreaterThan(15);
});
