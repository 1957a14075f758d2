import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/platform/package-root.ts";
import { blocksIn } from "./support/checks/markdown-blocks.ts";

/** Every line of the two pages on running Beckon, in one shell, from nothing to the first live submission. */

const MINUTE = 60_000;

test.each(["docs/run-for-yourself.md", "docs/run-for-customers.md"])(
  "%s: every line works, in this order, and a page is submitted at the end",
  async (path) => {
    const lines = blocksIn(readFileSync(join(packageRoot, path), "utf8"))
      .filter(({ language }) => language === "sh")
      .map(({ text }) => text);
    expect(lines.join("\n")).toContain("/projects");
    const port = await twoFreePorts();
    const page = lines
      .join("\n")
      .replaceAll("4010", String(port))
      .replaceAll("4011", String(port + 1));
    const startedAt = performance.now();
    const { code, out } = await runInShell(page);
    const minutes = (performance.now() - startedAt) / MINUTE;
    expect(code, out).toBe(0);
    expect(out).toMatch(/"sent_at":"\d{4}-/);
    process.stdout.write(`${path}: ${minutes.toFixed(1)} minutes\n`);
  },
  10 * MINUTE,
);

/** Runs a script in a process group of its own, all of which ends with it. The first line that fails ends it. */
async function runInShell(script: string): Promise<{ code: number | null; out: string }> {
  const { PATH, HOME } = process.env;
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: packageRoot,
    env: { PATH, HOME },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk) => {
      out += chunk;
    });
  const [code] = await once(shell, "exit");
  try {
    process.kill(-shell.pid!, "SIGTERM");
  } catch {
    // Nothing of it is left.
  }
  return { code, out };
}

/** A free port whose next one is free, too. */
async function twoFreePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 20_000);
    if ((await isFree(first)) && (await isFree(first + 1))) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const found = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (found) await new Promise((resolve) => server.close(resolve));
  return found;
}
