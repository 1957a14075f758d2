import { execFile } from "node:child_process";
import { packageRoot } from "../../src/platform/package-root.ts";
import type { Exceptions } from "./exceptions.ts";

/** Time limit of the registry, in ms. */
const PATIENCE = 60_000;

export interface Advisory {
  /** Of GitHub's advisory database. */
  readonly id: string;
  readonly package: string;
  readonly severity: string;
  readonly title: string;
}

/** The part of the report of `npm audit --json` that is read. */
interface Report {
  readonly vulnerabilities?: Readonly<
    Record<
      string,
      { readonly via: readonly (string | { name: string; severity: string; title: string; url: string })[] }
    >
  >;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/**
 * Known vulnerabilities of what is installed.
 * @param scope `shipped`: without development dependencies
 * @throws Error with the reason why there is no report
 */
export async function advisoriesOf(scope: "shipped" | "all"): Promise<Advisory[]> {
  const args = ["audit", "--json", ...(scope === "shipped" ? ["--omit=dev"] : [])];
  // It exits with 1 where it has found something, too.
  const text = await new Promise<string>((resolve) => {
    execFile("npm", args, { cwd: packageRoot, timeout: PATIENCE, maxBuffer: 1e8 }, (_, stdout) => resolve(stdout));
  });
  return advisoriesIn(text);
}

/** @throws Error where it is no report */
export function advisoriesIn(text: string): Advisory[] {
  const report = parsed(text);
  if (!report.vulnerabilities)
    throw new Error(report.message || report.error?.summary || "npm audit gave no answer in time");
  const found = new Map<string, Advisory>();
  for (const { via } of Object.values(report.vulnerabilities)) {
    for (const one of via) {
      // A text names another package of the report.
      if (typeof one === "string") continue;
      const id = one.url.split("/").at(-1)!;
      found.set(`${id} ${one.name}`, { id, package: one.name, severity: one.severity, title: one.title });
    }
  }
  return [...found.values()];
}

function parsed(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Advisories without an exception. */
export function advisoryProblems(
  advisories: readonly Advisory[],
  exceptions: Pick<Exceptions, "advisories">,
): string[] {
  const isExcepted = (one: Advisory) =>
    exceptions.advisories.some(({ advisory, package: name }) => advisory === one.id && name === one.package);
  return advisories
    .filter((one) => !isExcepted(one))
    .map((one) => `${one.package}: ${one.title} (${one.severity}, ${one.id})`);
}
