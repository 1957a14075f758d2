import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/platform/package-root.ts";

/** A fault that is planted into the sources by changing one line of them. */
export interface Mutant {
  readonly name: string;
  /** Which of the two models has to find it. */
  readonly by: "work" | "payments";
  /** A seed whose histories come upon it soon. Default: 1. */
  readonly seed?: number;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The model, compiled with its sources and with the faults, in a folder that is thrown away. */
export interface MutatedModel {
  /** Plays the model with this fault alone in the sources. */
  play(mutant: Mutant): Promise<{ code: number; output: string }>;
  close(): void;
}

/** Most commands that are played to find a fault. */
const COMMANDS = { work: "1500", payments: "10000" } as const;

/**
 * All are compiled at once, each mutated file beside the file that it will replace, since compiled sources start in a
 * third of the time.
 * @throws Error when a file does not have the line to change once
 */
export function mutatedModel(mutants: readonly Mutant[]): MutatedModel {
  const folder = mkdtempSync(join(tmpdir(), "beckon-mutant-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    compile(folder, mutants);
  } catch (thrown) {
    close();
    throw thrown;
  }
  return {
    async play(mutant) {
      const file = join(folder, compiled(mutant.file));
      const original = readFileSync(file);
      copyFileSync(join(folder, compiled(mutatedFile(mutant, mutants))), file);
      try {
        return await run(folder, mutant);
      } finally {
        writeFileSync(file, original);
      }
    },
    close,
  };
}

const COPIED = ["a2a", "db", "rest", "src", "test", "tools", "package.json", "tsconfig.json", "tsconfig.build.json"];

function compile(folder: string, mutants: readonly Mutant[]): void {
  for (const path of COPIED) cpSync(join(packageRoot, path), join(folder, path), { recursive: true });
  symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  for (const mutant of mutants) writeFileSync(join(folder, mutatedFile(mutant, mutants)), mutated(mutant));
  const config = {
    extends: "./tsconfig.build.json",
    compilerOptions: { noCheck: true, outDir: "." },
    include: ["db", "src", "tools", "test/model/run-model.ts"],
    // The folder of what is emitted is left out otherwise.
    exclude: ["node_modules"],
  };
  writeFileSync(join(folder, "tsconfig.model.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.model.json"], { cwd: folder });
}

/** @throws Error as `mutatedModel` does */
function mutated({ file, from, to }: Mutant): string {
  const [before, after, ...more] = readFileSync(join(packageRoot, file), "utf8").split(from);
  if (after === undefined || more.length > 0) throw new Error(`the line to change must be in ${file} once: ${from}`);
  return before + to + after;
}

function mutatedFile(mutant: Mutant, mutants: readonly Mutant[]): string {
  return mutant.file.replace(/\.ts$/, `.mutant-${mutants.indexOf(mutant)}.ts`);
}

function compiled(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

function run(folder: string, { by, seed = 1 }: Mutant): Promise<{ code: number; output: string }> {
  const args = ["test/model/run-model.js", COMMANDS[by], String(seed), "--only", by, "--no-shrink"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: `${stdout}${stderr}` });
    });
  });
}
