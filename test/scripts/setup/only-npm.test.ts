import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { isDeep } from "../../support/checks/fuzz-runs.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { programs } from "../../support/setup/programs.ts";

// Other package managers are installed from the registry, and tried in the deep run.
vi.setConfig({ testTimeout: 120_000 });

/** Installs a project with this one's rules, which depends on nothing. */
function install(manager: string, ...packages: string[]) {
  const folder = scratchFolder();
  const { devEngines, scripts } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  const manifest = { name: "small", version: "1.0.0", private: true, devEngines };
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, scripts: { preinstall: scripts.preinstall } }),
  );
  cpSync(join(packageRoot, "scripts/setup"), join(folder, "scripts/setup"), { recursive: true });
  const path = packages.length === 0 ? process.env.PATH : `${programs(...packages)}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(manager, ["install"], {
    cwd: folder,
    env: { PATH: path, HOME: folder, CI: "1" },
    encoding: "utf8",
  });
  return { status, said: stdout + stderr, hasLock: existsSync(join(folder, "package-lock.json")) };
}

test("npm installs", () => {
  expect(install("npm")).toMatchObject({ status: 0, hasLock: true });
});

test.runIf(isDeep)("exit 1: Yarn is told what to use", () => {
  const { status, said } = install("yarn", "yarn@1.22.22");
  expect(status).toBe(1);
  expect(said).toContain(
    "beckon: yarn/1.22.22 does not read package-lock.json. Install Beckon with npm: `npm start` does what is needed.",
  );
});

test.runIf(isDeep)("exit 1: pnpm says by itself that it is the wrong one", () => {
  const { status, said } = install("pnpm", "pnpm@10.20.0");
  expect(status).not.toBe(0);
  expect(said).toMatch(/configured to use npm|beckon: pnpm\/10\.20\.0 does not read package-lock\.json/);
});
