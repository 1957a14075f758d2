import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../checks/test-files.ts";

/** Folders in which statements are made. */
const FOLDERS = ["src", "db/postgres"];

/** A statement of drizzle, a prepared one, or one of the driver. */
const STATEMENT = /\bq(?:\.(?:select|selectDistinct|insert|update|delete)\(|$)|\.prepared\(|\.query\(\{/;

/** The beginning of a function, a method or a constant, as the formatter writes it; its name is the group that matches. */
const BEGINNING =
  /^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = .*=>)|^ {2}(?:async )?(#?\w+)(?:<.*>)?\(.*\{$|^ {2,4}(\w+): (?:async )?\(.*=>(?: \{)?$/;

/** Each function of the service that makes statements, as `FILE NAME`. */
export function functionsWithQueries(): string[] {
  const found = new Set<string>();
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name)) continue;
      for (const one of namesIn(readFileSync(join(ROOT, folder, name), "utf8"))) found.add(`${folder}/${name} ${one}`);
    }
  return [...found].sort();
}

function namesIn(source: string): string[] {
  const names: string[] = [];
  let name = "";
  for (const line of source.split("\n")) {
    const begins = BEGINNING.exec(line);
    if (begins) name = begins.slice(1).find(Boolean)!;
    if (STATEMENT.test(line)) names.push(name);
  }
  return names;
}
