import { afterEach, expect, test, vi } from "vitest";
import type { TestModule } from "vitest/node";
import { commandsFor } from "../../support/checks/progress-reporter.ts";

afterEach(() => vi.unstubAllEnvs());

const module = { type: "module" };
const suite = { type: "suite", name: "402 a (b)", parent: module };

/** A file in which these tests have failed. */
function fileWith(...failed: object[]): TestModule {
  const children = { allTests: () => failed };
  return { project: { name: "pg mocks" }, relativeModuleId: "test/a.test.ts", children } as unknown as TestModule;
}

test("what failed is run alone by a command with its tier, its database, its file and its whole name", () => {
  vi.stubEnv("TEST_TIER", "all");
  const test = { name: "it's > [x] $1", parent: suite };
  expect(commandsFor(fileWith(test))).toEqual([
    String.raw`npm test -- --project 'pg mocks' test/a.test.ts -t '^402 a \(b\) it'\''s > \[x\] \$1$'`,
  ]);
});

test("a file that failed as a whole is run as a whole", () => {
  vi.stubEnv("TEST_TIER", "deep");
  expect(commandsFor(fileWith())).toEqual(["npm run test:deep -- --project 'pg mocks' test/a.test.ts"]);
  vi.stubEnv("TEST_TIER", "quick22");
  expect(commandsFor(fileWith())).toEqual(["TEST_TIER=quick22 npm test -- --project 'pg mocks' test/a.test.ts"]);
});
