// `node scripts/lock.mjs [--check]`: completes package-lock.json. npm leaves a package for another platform out
// of the lock when the registry it asked does not carry it, and then `npm ci` refuses the lock everywhere.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8"));
const missing = missingFrom(lock.packages);

if (process.argv.includes("--check")) {
  if (missing.length > 0) {
    console.error(`package-lock.json lacks ${missing.map(([place]) => place).join(", ")}. Run: node scripts/lock.mjs`);
    process.exitCode = 1;
  }
} else if (missing.length > 0) {
  const [[self, project], ...installed] = Object.entries(lock.packages);
  const all = [...installed, ...missing].sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = { [self]: project, ...Object.fromEntries(all) };
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

/** Optional dependencies that no entry of the lock satisfies, as entries. */
function missingFrom(packages) {
  const entries = new Map();
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (placesOf(parent, name).some((place) => packages[place])) continue;
      entries.set(`node_modules/${name}`, { version, ...(dev && { dev }), optional: true, ...platformOf(name) });
    }
  }
  return [...entries];
}

/** Where Node looks for `name` from `parent`, nearest first. */
function placesOf(parent, name) {
  const folders = parent.split("/node_modules/");
  const outwards = folders.map((_, i) => folders.slice(0, folders.length - i).join("/node_modules/"));
  return [...outwards.filter((folder) => folder !== "").map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

/** `@scope/tool-linux-arm64-musl` → what the package's own manifest says of its platform. */
function platformOf(name) {
  const os = /(?:^|[-/])(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32)(?=-|$)/.exec(name)?.[1];
  const cpu = /-(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)(?=-|$)/.exec(name)?.[1];
  const libc = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" }[name.split("-").at(-1)];
  return {
    ...(os && { os: [os] }),
    ...(cpu && { cpu: [cpu] }),
    ...(os === "linux" && libc && { libc: [libc] }),
  };
}
