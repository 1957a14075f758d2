// `npm run pack`: the service as a package, dist/beckon-server-VERSION.tgz. It holds what the bundle in dist/ reads, and depends
// only on the packages that are not in the bundle, so that npm installs it in seconds, without a script or a compiler.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { OUTSIDE } from "./bundle-server.mjs";
import { compile, install, root } from "./prepare.mjs";
import { tarballOf } from "./tarball.mjs";

const NAME = "beckon-server";

/** What the package holds beside its package.json. */
const FILES = [
  ...["dist/src", "dist/website", "dist/client", "dist/LICENSES.txt", "db/migrations", "skills", "docs", "server.json"],
  ...["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"],
];

/** What only a clone uses: marks of builds, and the schemas after each migration, which the next one is made from. */
const LEFT_OUT = /(^|\/)\.built$|^db\/migrations\/\w+\/meta\/\d+_snapshot\.json$/;

const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

install();
// Anew, so that nothing is shipped whose source is gone.
rmSync(join(root, "dist"), { recursive: true, force: true });
compile(process.stderr.fd);

const folder = mkdtempSync(join(tmpdir(), "beckon-pack-"));
try {
  for (const path of FILES) cpSync(join(root, path), join(folder, path), { recursive: true, filter: isShipped });
  const manifest = manifestOf(read("package.json"), read("package-lock.json").packages);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const path = `dist/${NAME}-${manifest.version}.tgz`;
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, path), tarballOf(folder));
  console.log(`${path}\nTo install its command, ${NAME}: npm install --global --ignore-scripts ./${path}`);
} finally {
  rmSync(folder, { recursive: true });
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
