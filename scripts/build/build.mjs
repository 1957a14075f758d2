import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aside, replace, root } from "../setup/folders.mjs";
import { SetupError, say } from "../setup/say.mjs";

/** What dist/ is made from. */
const SOURCES = [
  ...["src", "tools", "rest", "a2a", "db", "packages/client", "scripts/build"],
  ...["tsconfig.json", "package.json", "package-lock.json"],
];

/** Holds the digest of the sources that dist/ was built from. */
const MARK = "dist/.built";

/** Whether dist/ was built from these sources. Contents are compared, since a copy or a checkout changes the times of files. */
export function isBuilt() {
  const mark = join(root, MARK);
  return existsSync(mark) && readFileSync(mark, "utf8") === digest();
}

/**
 * Builds dist/, unless it was built from these sources: the program, what browsers load, and the client. Types are not checked.
 * @throws SetupError if a source is wrong; the dist/ of before is still there
 */
export async function build() {
  if (isBuilt()) return;
  say("building …");
  // Loaded here: what is built needs no bundler.
  const [{ bundleServer }, { bundleWebsite }, { packClient }] = await Promise.all([
    import("./server.mjs"),
    import("./website.mjs"),
    import("./client.mjs"),
  ]);
  const sources = digest();
  await aside((making) => {
    const dist = join(making, "dist");
    mkdirSync(dist);
    try {
      bundleServer(dist);
      bundleWebsite(dist);
      packClient(dist);
    } catch (thrown) {
      // esbuild has written what is wrong, and where.
      throw new SetupError(`the build failed: ${thrown.message}`);
    }
    writeFileSync(join(making, MARK), sources);
    replace(join(root, "dist"), dist);
  });
}

function digest() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** The files below a path of the project, ordered by name; none where it does not exist. */
function filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path))
    .filter((name) => name !== "dist" && name !== "node_modules")
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}
