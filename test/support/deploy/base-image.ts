import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { programs } from "../setup/programs.ts";
import type { Podman } from "./podman.ts";

const CACHE = join(packageRoot, "node_modules/.cache");
/** Of the official images of Node.js, too. */
const SUITE = "bookworm";
const DEBIAN = join(CACHE, `image-base/${SUITE}.tar.gz`);

/**
 * Makes an image in place of `node:24-slim`, since the tests pull none: the same Debian, as small as Debian's tools make it, with
 * Node.js, npm and a user `node` where the official image has them.
 */
export async function makeBaseImage(podman: Podman, tag: string): Promise<void> {
  if (!existsSync(DEBIAN)) makeDebian();
  // The folder of both packages is next to the folder of their commands.
  const modules = join(programs(`node-linux-${process.arch}@24`, "npm@11"), "..");
  const folder = mkdtempSync(join(tmpdir(), "beckon-base-"));
  try {
    cpSync(DEBIAN, join(folder, "debian.tar.gz"));
    cpSync(join(modules, `node-linux-${process.arch}/bin/node`), join(folder, "node"));
    cpSync(join(modules, "npm"), join(folder, "npm"), { recursive: true });
    writeFileSync(join(folder, "Containerfile"), CONTAINERFILE);
    await podman("build", "--isolation=chroot", "--layers=false", `--tag=${tag}`, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CONTAINERFILE = `FROM scratch
ADD debian.tar.gz /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
CMD ["node"]
`;

function makeDebian(): void {
  mkdirSync(join(CACHE, "image-base"), { recursive: true });
  const making = join(CACHE, `image-base/making-${process.pid}.tar.gz`);
  const left = ["doc", "man", "locale"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  // Node.js is linked to the library.
  const args = ["--variant=minbase", "--include=libstdc++6", ...left, SUITE, making];
  execFileSync("mmdebstrap", args, { stdio: ["ignore", 2, "ignore"] });
  renameSync(making, DEBIAN);
}
