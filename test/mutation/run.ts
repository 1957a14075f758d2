import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { say } from "../../scripts/setup/say.mjs";
import { ROOT } from "../support/checks/test-files.ts";
import { type MutatedFile, resultOf } from "./mutant.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";
import { SURVIVORS } from "./survivors.ts";

const FOLDER = "test/mutation";
/** Where Stryker copies the project to. It looks through all folders but one of this name, so that it trips over no copy that goes. */
const COPIES = ".mutants";
const STRYKER = join(ROOT, FOLDER, "node_modules/@stryker-mutator/core/bin/stryker.js");

/** Least share of the mutants of a file that tests notice. */
const LEAST = 0.9;

/** What the tests of the subjects do not read. */
const NOT_COPIED = ["/.cache", `/${COPIES}`, "/bench", "/data", "/demo", "/deploy", "/dist", "/docs", "/screenshots"];

const chosen = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));
const known = Object.values(SUBJECTS).flatMap(({ files }) => files);
const unknown = chosen.filter((file) => !known.includes(file));
if (unknown.length > 0) {
  say(`${unknown.join(", ")}: not in ${FOLDER}/subjects.ts, which has ${known.join(", ")}`);
  process.exit(2);
}

interface Run extends Subject {
  readonly name: string;
}

const runs: Run[] = Object.entries(SUBJECTS)
  .map(([name, { files, tests }]) => ({ name, tests, files: chosen.length === 0 ? files : files.filter(isChosen) }))
  .filter(({ files }) => files.length > 0);
const running = new Set<ChildProcess>();
const failed: string[] = [];
let ended = 0;

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });

// As many at once as there are cores: each runs its mutants one after the other.
const waiting = runs.values();
await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
if (failed.length > 0) say(`to run what failed: npm run mutants -- ${failed.join(" ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function isChosen(file: string): boolean {
  return chosen.includes(file);
}

async function inTurn(): Promise<void> {
  for (const { name, files, tests } of waiting) {
    const began = Date.now();
    const report = await mutate(files, tests);
    if (typeof report === "string") say(`${name}: ${report}`);
    for (const file of files) {
      const problems = typeof report === "string" ? [`${file}: no result`] : problemsOf(file, report[file]);
      for (const problem of problems) say(problem);
      if (problems.length > 0) failed.push(file);
    }
    ended += 1;
    say(`${name}: ${Math.round((Date.now() - began) / 1000)} s, ${ended} of ${runs.length}`);
  }
}

/** Says the result of a file in a line. @returns what is wrong with it */
function problemsOf(file: string, mutated: MutatedFile = { source: "", mutants: [] }): string[] {
  const { killed, of, survived, late } = resultOf(mutated);
  const named = Object.values(SURVIVORS[file] ?? {}).flat();
  const unnamed = without(survived, named);
  const gone = without(named, [...survived, ...late]);
  const share = `${((100 * killed) / of).toFixed(1)} %`;
  say(`${file}: ${killed} of ${of} killed (${share})`);
  const problems: string[] = [];
  if (unnamed.length > 0) problems.push("no test notices, and survivors.ts does not say why:", ...unnamed);
  if (gone.length > 0) problems.push("survivors.ts names what is killed, or is gone:", ...gone);
  if (of === 0) problems.push("nothing of it was changed");
  if (killed < LEAST * of) problems.push(`less than ${100 * LEAST} % were killed`);
  return problems;
}

/** What of a list is not in another one, where each may have the same several times. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Runs Stryker. @returns its report, by file; or what it said where it failed */
async function mutate(
  files: readonly string[],
  tests: readonly string[],
): Promise<Record<string, MutatedFile> | string> {
  mkdirSync(join(ROOT, COPIES), { recursive: true });
  // It is there until Stryker has ended, which would remove an empty folder of copies, also where another one is about to begin.
  const folder = mkdtempSync(join(ROOT, COPIES, "run-"));
  const report = join(folder, "report.json");
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify(settings(files, report)));
  const env = { ...process.env, MUTATION_TESTS: tests.join(",") };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [STRYKER, "run", config], { cwd: ROOT, env, stdio: [...stdio] });
  running.add(child);
  let said = "";
  child.stdout?.on("data", (data) => {
    said += data;
  });
  try {
    const [code] = await once(child, "close");
    if (code !== 0) return `Stryker ended with exit code ${code}:\n${said}`;
    return JSON.parse(readFileSync(report, "utf8")).files;
  } finally {
    running.delete(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No limit of time measures anything: on a busy machine it would take what is slow for what hangs. */
function settings(files: readonly string[], report: string) {
  return {
    mutate: files,
    plugins: ["@stryker-mutator/vitest-runner", join(ROOT, FOLDER, "ignored.mjs")],
    ignorers: ["ignored"],
    ignorePatterns: NOT_COPIED,
    testRunner: "vitest",
    vitest: { configFile: `${FOLDER}/vitest.config.ts`, related: false, pool: "forks" },
    coverageAnalysis: "perTest",
    concurrency: 1,
    timeoutMS: 20_000,
    timeoutFactor: 4,
    // The sources run as they are, without TypeScript.
    disableTypeChecks: false,
    tsconfigFile: "none",
    tempDirName: COPIES,
    reporters: ["json"],
    jsonReporter: { fileName: report },
    warnings: { slow: false },
    allowConsoleColors: false,
  };
}
