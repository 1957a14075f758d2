import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Lists the files below a folder by their paths from it, without those of installed packages. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)).map((path) => join(entry.name, path)) : [entry.name],
    );
}
