import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { scratchFolder } from "../support/service/cli.ts";

// It runs npm twice.
vi.setConfig({ testTimeout: 60_000 });

/** What is printed about a registry. */
function noticeOf(registry: string): string {
  const env = { PATH: process.env.PATH, HOME: scratchFolder(), npm_config_registry: registry };
  const script = join(packageRoot, "scripts/registry-notice.mjs");
  return spawnSync(process.execPath, [script, "0"], { env, cwd: env.HOME, encoding: "utf8" }).stderr;
}

test("a registry that refuses connections is named, with what to do", () => {
  expect(noticeOf("http://127.0.0.1:1/")).toMatch(
    /^beckon: waiting for the package registry http:\/\/127\.0\.0\.1:1\/, which does not answer \(ECONNREFUSED\);/,
  );
});
