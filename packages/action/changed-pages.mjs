// The addresses of the HTML files that a push has added or changed.
import { execFileSync } from "node:child_process";

/** What a push has as the commit before, where there is none. */
const NOTHING = /^0*$/;

/**
 * @param folder of the repository, which is published at `site`
 * @param before the commit before the push
 */
export function pagesOf({ folder, site, before }) {
  const root = folder.replace(/^\.\/|\/+$/g, "");
  const base = site.endsWith("/") ? site : `${site}/`;
  const files = NOTHING.test(before) ? git("ls-tree", "-r", "-z", "--name-only", "HEAD") : changedSince(before);
  return files
    .filter((path) => path.endsWith(".html") && (root === "" || root === "." || path.startsWith(`${root}/`)))
    .map((path) => (root === "" || root === "." ? path : path.slice(root.length + 1)))
    .map(
      (path) =>
        new URL(
          path
            .replace(/(^|\/)index\.html$/, "$1")
            .split("/")
            .map(encodeURIComponent)
            .join("/"),
          base,
        ).href,
    );
}

function changedSince(before) {
  if (!/^[\da-f]{7,64}$/i.test(before)) throw new Error("before: must be the name of a commit.");
  try {
    return git("diff", "-z", "--name-only", "--diff-filter=AMR", before, "HEAD");
  } catch {
    throw new Error(`The commit ${before} is not there: check out with fetch-depth: 0.`);
  }
}

function git(...args) {
  const text = execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
  return text.split("\0").filter(Boolean);
}
