import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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
  // The folder of both packages is beside that of their commands.
  const modules = join(programs(`node-linux-${process.arch}@24`, "npm@11"), "..");
  const [node, npm] = [`node-linux-${process.arch}/bin/node`, "npm"].map((path) =>
    relative(CACHE, join(modules, path)),
  );
  const folder = mkdtempSync(join(tmpdir(), "beckon-base-"));
  try {
    const lines = [
      "FROM scratch",
      `ADD ${relative(CACHE, DEBIAN)} /`,
      `COPY ${node} /usr/local/bin/node`,
      `COPY ${npm} /usr/local/lib/node_modules/npm`,
      "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\",
      "  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node",
      'CMD ["node"]',
    ];
    writeFileSync(join(folder, "Containerfile"), `${lines.join("\n")}\n`);
    // Every file that is not named is ignored, since the folder has large ones.
    writeFileSync(
      join(folder, "ignore"),
      ["*", relative(CACHE, DEBIAN), node, npm].map((l, n) => (n ? `!${l}` : l)).join("\n"),
    );
    const how = ["--isolation=chroot", "--layers=false", `--ignorefile=${folder}/ignore`];
    await podman("build", ...how, "--file", join(folder, "Containerfile"), "--tag", tag, CACHE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function makeDebian(): void {
  mkdirSync(join(CACHE, "image-base"), { recursive: true });
  const making = join(CACHE, `image-base/making-${process.pid}.tar.gz`);
  const left = ["doc", "man", "locale"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  // Node.js is linked to the library.
  const args = ["--variant=minbase", "--include=libstdc++6", ...left, SUITE, making];
  execFileSync("mmdebstrap", args, { stdio: ["ignore", 2, "ignore"] });
  renameSync(making, DEBIAN);
}
