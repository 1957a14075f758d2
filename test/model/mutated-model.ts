import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { packageRoot } from "../../src/platform/package-root.ts";
import { EXTERNAL, REQUIRE } from "../support/service/bundle-setup.ts";

/** A fault that is planted into the sources by changing one line of them. */
export interface Mutant {
  readonly name: string;
  /** Which of the models has to find it. */
  readonly by: "work" | "payments" | "approvals" | "watches";
  /** A seed whose histories come upon it soon. Default: 1. */
  readonly seed?: number;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The model, bundled with its sources and with the faults, in a folder that is thrown away. */
export interface MutatedModel {
  /** Plays the model with this fault alone in the sources. */
  play(mutant: Mutant): Promise<{ code: number; output: string }>;
  close(): void;
}

/** Most commands that are played to find a fault. */
const COMMANDS = { work: "1500", payments: "10000", approvals: "2000", watches: "1500" } as const;

/** The variable that names the mutant to play, by its index. */
const CHOICE = "BECKON_MUTANT";

/**
 * Makes one bundle with all mutants, which starts in half the time of the compiled sources. It has each file that a mutant
 * changes as it is and as each changes it, and passes on the exports of the one that the environment chooses.
 * @throws Error when a file does not have the line to change once
 */
export async function mutatedModel(mutants: readonly Mutant[]): Promise<MutatedModel> {
  // In the project, so that packages which are not bundled are found.
  const folder = mkdtempSync(join(packageRoot, "node_modules/.beckon-mutant-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    await bundle(join(folder, "model.mjs"), mutants);
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { play: (mutant) => run(join(folder, "model.mjs"), mutants.indexOf(mutant), mutant), close };
}

async function bundle(outfile: string, mutants: readonly Mutant[]): Promise<void> {
  const common = { absWorkingDir: packageRoot, platform: "node", format: "esm", logLevel: "error" } as const;
  const files = [...new Set(mutants.map(({ file }) => file))];
  const { metafile } = await build({ ...common, entryPoints: files, outdir: "unused", write: false, metafile: true });
  const exportsOf = new Map(
    Object.values(metafile.outputs).map(({ entryPoint, exports }) => [join(packageRoot, entryPoint!), exports]),
  );
  await build({
    ...common,
    entryPoints: ["test/model/run-model.ts"],
    outfile,
    bundle: true,
    external: [...EXTERNAL],
    banner: { js: REQUIRE },
    plugins: [plantedFaults(mutants, exportsOf)],
  });
}

/** Puts a module that chooses in place of each file that a mutant changes. */
function plantedFaults(mutants: readonly Mutant[], exportsOf: ReadonlyMap<string, readonly string[]>): Plugin {
  return {
    name: "planted faults",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\?(as it is|\d+)$/ }, ({ path }) => {
        const [file, suffix] = path.split("?");
        return { path: file!, suffix: `?${suffix}` };
      });
      onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
        const names = exportsOf.get(path);
        if (!names) return null;
        if (suffix === "") return { contents: chooser(path, mutants, names) };
        const mutant = mutants[Number(suffix.slice(1))];
        return { contents: mutant ? mutated(mutant) : readFileSync(path, "utf8"), loader: "ts" };
      });
    },
  };
}

/** A module with the exports of the mutant that the environment names, if it changes this file, or else of the file itself. */
function chooser(path: string, mutants: readonly Mutant[], names: readonly string[]): string {
  const from = (version: string | number) => JSON.stringify(`${path}?${version}`);
  const own = [...mutants.keys()].filter((index) => join(packageRoot, mutants[index]!.file) === path);
  return `import * as original from ${from("as it is")};
${own.map((index) => `import * as mutant${index} from ${from(index)};`).join("\n")}
const chosen = { ${own.map((index) => `${index}: mutant${index}`).join(", ")} }[process.env.${CHOICE}] ?? original;
${names.map((name) => `export const ${name} = chosen.${name};`).join("\n")}`;
}

/** The text of the mutant's file with its fault. @throws Error unless the line to change is there once */
export function mutated({ file, from, to }: Mutant): string {
  const [before, after, ...more] = readFileSync(join(packageRoot, file), "utf8").split(from);
  if (after === undefined || more.length > 0) throw new Error(`the line to change must be in ${file} once: ${from}`);
  return before + to + after;
}

function run(bundled: string, index: number, { by, seed = 1 }: Mutant): Promise<{ code: number; output: string }> {
  const args = [bundled, COMMANDS[by], String(seed), "--only", by, "--no-shrink"];
  const env = { ...process.env, [CHOICE]: String(index) };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: `${stdout}${stderr}` });
    });
  });
}
