// `npm run pack`: the service as a package, dist/beckon-server-VERSION.tgz. It holds what the bundle in dist/ reads, and depends
// only on the packages that are not in the bundle, so that npm installs it in seconds, without a script or a compiler.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { aside, root } from "./setup/folders.mjs";
import { prepare } from "./setup/prepare.mjs";
import { orExplain } from "./setup/say.mjs";

const NAME = "beckon-server";

/** What the package holds besides its package.json. */
const FILES = [
  ...["dist/src", "dist/website", "dist/client", "dist/LICENSES.txt", "db/migrations", "skills", "docs", "server.json"],
  "src/surfaces/docs/pages",
  ...["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"],
];

/** What only a clone uses: the mark of a build, and the schema after the last migration, which the next one is made from. */
const LEFT_OUT = /(^|\/)\.built$|^db\/migrations\/\w+\/meta\/\d+_snapshot\.json$/;

const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

await prepare();
// Loaded here: they need the bundler, which may only just have been installed.
const [{ OUTSIDE }, { tarballOf }] = await Promise.all([import("./build/server.mjs"), import("./build/tarball.mjs")]);
await orExplain(aside(pack));

function pack(folder) {
  for (const path of FILES) cpSync(join(root, path), join(folder, path), { recursive: true, filter: isShipped });
  const manifest = manifestOf(read("package.json"), read("package-lock.json").packages);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const path = `dist/${NAME}-${manifest.version}.tgz`;
  writeFileSync(join(root, path), tarballOf(folder));
  console.log(`${path}\nTo install its command, ${NAME}: npm install --global --ignore-scripts ./${path}`);
}

function isShipped(source) {
  return !LEFT_OUT.test(relative(root, source).split(sep).join("/"));
}

/** The package.json: what the project's says of it, and the versions of the lock of what it loads. */
function manifestOf({ version, description, keywords, license, type, engines, dependencies }, locked) {
  const loaded = OUTSIDE.filter((name) => name in dependencies);
  const versions = loaded.map((name) => [name, locked[`node_modules/${name}`].version]);
  const bin = { [NAME]: "dist/src/main.js" };
  const own = { name: NAME, version, description, keywords, license, type, engines, bin };
  return { ...own, dependencies: Object.fromEntries(versions) };
}
