import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A fault sown into the sources; the model must find it. */
interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: "off-by-one cost",
    file: "src/projects/create.ts",
    from: "credits: -cost,",
    to: "credits: cost > 30 ? 1 - cost : -cost,",
  },
  {
    name: "double return",
    file: "src/projects/settle.ts",
    from: "  if (returned > 0) await giveBack(tx, project, returned, cause);",
    to: "  for (const n of [1, 2]) if (returned > 0) await giveBack(tx, project, returned, { ...cause, source: `${cause.source}:${n}` });",
  },
  {
    name: "missing ledger row",
    file: "src/ledger/ledger.ts",
    from: "  await tx.q.insert(ledger).values({",
    to: '  if (posting.kind !== "return") await tx.q.insert(ledger).values({',
  },
  {
    name: "lost lease: a step is completed by whoever worked on it",
    file: "src/checker/complete.ts",
    from: "  if (taken.length === 0) throw new LeaseLost(`step ${step.id}`);",
    to: "",
  },
  {
    name: "lost intent: a crashed call is made again",
    file: "src/checker/work.ts",
    from: '  if (step.intentAt !== null) return (await submitter.resume?.(batch)) ?? uncertain("unknown");',
    to: "",
  },
  {
    name: "a partition that drops a link",
    file: "src/checker/complete.ts",
    from: "next.filter((group) => (group.lane ?? step.lane) === lane),",
    to: "next.filter((group) => (group.lane ?? step.lane) === lane).slice(0, 1),",
  },
  {
    name: "a key forgotten before its day is over",
    file: "src/idempotency/remember.ts",
    from: "const KEPT = DAY;",
    to: "const KEPT = 5 * MINUTE;",
  },
];

test.each(MUTANTS)("mutant is caught: $name", { timeout: 180_000 }, async ({ file, from, to }) => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-mutant-"));
  try {
    for (const part of ["db", "src", "tools", "test", "package.json"])
      cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    const source = readFileSync(join(folder, file), "utf8");
    expect(source.split(from), `the line to change in ${file}`).toHaveLength(2);
    writeFileSync(
      join(folder, file),
      source.replace(from, () => to),
    );
    const { code, output } = await play(folder);
    expect(output).toContain("Property failed after");
    expect(code).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function play(folder: string): Promise<{ code: number; output: string }> {
  const args = ["--import", "tsx", "test/model/play.ts", "1500", "1", "--no-shrink"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: `${stdout}${stderr}` });
    });
  });
}
