import { spawnSync } from "node:child_process";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { scratchFolder } from "../../support/service/cli.ts";

const HARMLESS = "exit 0";

/** Runs `ensureBrowser` on a machine that has only these programs, which are shell scripts. */
function ensured(programs: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const PATH = scratchFolder();
  for (const name of ["sh", "env", "touch", "chmod", "test", "true"]) symlinkSync(`/usr/bin/${name}`, join(PATH, name));
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(PATH, name), `#!/bin/sh\necho "ran \${0##*/} $*" >&2\n${body.replaceAll("HERE", PATH)}\n`);
    chmodSync(join(PATH, name), 0o755);
  }
  const code = 'import("./scripts/setup/browser.mjs").then((found) => process.stdout.write(found.ensureBrowser()))';
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", code], {
    cwd: packageRoot,
    env: { PATH, ...env },
    encoding: "utf8",
  });
  return { status, found: stdout.replace(PATH, ""), said: stderr };
}

/** An apt-get that can install these packages once the package list is updated; `sudo` runs it. */
const aptWith = (packages: string) => ({
  sudo: 'shift; exec "$@"',
  "apt-get": `for name; do :; done
    case $* in
      *update) touch HERE/list;;
      *install*) case " ${packages} " in *" $name "*) test -e HERE/list && touch HERE/$name && chmod +x HERE/$name;; *) exit 1;; esac;;
    esac`,
});
const APT = aptWith("chromium-headless-shell chromium");

test("the browser that CHROMIUM names is used, otherwise the first one in PATH", () => {
  expect(ensured({ "google-chrome": HARMLESS, chromium: HARMLESS }).found).toBe("/chromium");
  expect(ensured({ chromium: HARMLESS, "chromium-headless-shell": HARMLESS }).found).toBe("/chromium-headless-shell");
  expect(ensured({ chromium: HARMLESS }, { CHROMIUM: process.execPath }).found).toBe(process.execPath);
});

test("exit 1: CHROMIUM names no program; this is reported, not ignored", () => {
  const { status, said } = ensured({ chromium: HARMLESS, ...APT }, { CHROMIUM: "/nowhere/chromium" });
  expect(status).toBe(1);
  expect(said).toContain("CHROMIUM does not name a program");
});

test("a machine without a browser gets one installed; the package list is updated first if it does not have the package", () => {
  const { status, found, said } = ensured({ ...APT, "apt-cache": "exit 1" });
  expect([status, found]).toEqual([0, "/chromium-headless-shell"]);
  expect(said).toContain("installing Chromium");
  const ran = ["ran apt-get -q update", "ran apt-get -q install -y chromium-headless-shell"];
  expect(said.match(/^ran apt-get -q .*$/gm)).toEqual(ran);
});

test("the whole browser is installed where there is no package without its window", () => {
  const { status, found } = ensured({ ...aptWith("chromium"), "apt-cache": "exit 1" });
  expect([status, found]).toEqual([0, "/chromium"]);
});

test("an outdated package list is updated", () => {
  const { status, said } = ensured({ ...APT, "apt-cache": HARMLESS });
  expect(status).toBe(0);
  expect(said.match(/(?<=^ran apt-get -q )\w+/gm)).toEqual(["install", "install", "update", "install"]);
});

test("exit 1: nothing can be installed, and the message says what to do", () => {
  for (const programs of [{}, { ...APT, "apt-get": "exit 1" }]) {
    const { status, said } = ensured(programs);
    expect(status).toBe(1);
    expect(said).toContain("Install Chromium or Chrome, or set CHROMIUM to the path of its program");
  }
});
