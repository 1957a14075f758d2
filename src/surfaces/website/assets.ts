import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.ts";

/** A file for browsers. */
export interface Asset {
  readonly text: string;
  /** It contains a hash of the file, so that caches can keep the file for ever. */
  readonly path: string;
}

/** Where `npm run build` puts the bundles of `browser/` and of `style/`. */
const FOLDER = join(packageRoot, "dist/website");

/** The scripts for browsers: one for all pages, and those that it loads where they are needed. */
export const SCRIPTS = ["page", "count-worker"] as const;

export type Script = (typeof SCRIPTS)[number];

const scripts = new Map<Script, Asset>();

/** @throws Error when the service was not built */
export function script(name: Script): Asset {
  const known = scripts.get(name);
  if (known) return known;
  const text = readFileSync(join(FOLDER, `${name}.js`), "utf8");
  const asset = { text, path: `/assets/${name}-${hashOf(text).slice(0, 12)}.js` };
  scripts.set(name, asset);
  return asset;
}

let sheet: { readonly text: string; readonly hash: string } | undefined;

/** The style sheet, which every page contains, and its SHA-256 in base64 for the Content-Security-Policy. */
export function styleSheet(): { readonly text: string; readonly hash: string } {
  if (!sheet) {
    const text = readFileSync(join(FOLDER, "style.css"), "utf8").trim();
    sheet = { text, hash: createHash("sha256").update(text).digest("base64") };
  }
  return sheet;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").replace(/[-_]/g, "");
}
