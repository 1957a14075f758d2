// `node scripts/lock.mjs [--check]`: completes package-lock.json. npm leaves a package for another platform out
// of the lock when the registry it asked does not carry it, and then `npm ci` refuses the lock everywhere.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const path = join(root, "package-lock.json");
const before = readFileSync(path, "utf8");
const lock = JSON.parse(before);
const [[self, project], ...noted] = Object.entries(lock.packages);
const all = [...noted, ...missingFrom(lock.packages)];
all.sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = { [self]: project, ...Object.fromEntries(all) };
const after = `${JSON.stringify(lock, null, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(path, after);
else if (after !== before) {
  console.error("package-lock.json is not complete. Run: node scripts/lock.mjs");
  process.exitCode = 1;
}

/** Optional dependencies that no entry of the lock satisfies, as entries. */
function missingFrom(packages) {
  const entries = new Map();
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (placesOf(parent, name).some((place) => packages[place])) continue;
      entries.set(`node_modules/${name}`, entry(name, version, dev));
    }
  }
  return [...entries];
}

/** Where Node looks for `name` from `parent`, nearest first. */
function placesOf(parent, name) {
  const folders = parent.split("/node_modules/");
  const outwards = folders.map((_, i) => folders.slice(0, folders.length - i).join("/node_modules/"));
  return [
    ...outwards.filter((folder) => folder !== "").map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
}

/** `@scope/tool-linux-arm64-musl` → what the package's own manifest says of its platform; keys as npm sorts them. */
function entry(name, version, dev) {
  const os = /(?:^|[-/])(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32)(?=-|$)/.exec(
    name,
  )?.[1];
  const cpu = /-(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)(?=-|$)/.exec(name)?.[1];
  const libc = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" }[name.split("-").at(-1)];
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(os === "linux" && libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}
