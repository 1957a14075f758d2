import { appendFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { ROOT } from "../../checks/test-files.ts";

/**
 * Notes after each file of tests which functions of the service it has called, for queries-setup.ts. V8 counts them, once for
 * the whole process.
 */
const inProcess = globalThis as { callsSession?: Promise<Session> };
inProcess.callsSession ??= started();
const session = await inProcess.callsSession;

async function started(): Promise<Session> {
  const opened = new Session();
  opened.connect();
  await opened.post("Profiler.enable");
  await opened.post("Profiler.startPreciseCoverage", { callCount: false, detailed: false });
  return opened;
}

afterAll(async () => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const called = result.flatMap(({ url, functions }) => {
    if (!url.startsWith("file:") || url.includes("/node_modules/")) return [];
    const file = relative(ROOT, fileURLToPath(url));
    return functions.filter(({ ranges }) => ranges[0]!.count > 0).map(({ functionName }) => `${file} ${functionName}`);
  });
  const lines = [...new Set(called), relative(ROOT, expect.getState().testPath!)];
  appendFileSync(process.env.TEST_CALLS!, `${lines.join("\n")}\n`);
});
