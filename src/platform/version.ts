import { existsSync, readFileSync } from "node:fs";

/** Of the package: package.json stands two folders above this one, three when built. */
export const version: string = JSON.parse(readFileSync(packageFile(), "utf8")).version;

function packageFile(): URL {
  const above = new URL("../../package.json", import.meta.url);
  return existsSync(above) ? above : new URL("../../../package.json", import.meta.url);
}
