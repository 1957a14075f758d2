import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ICON_PATHS } from "../../../platform/icons.ts";
import { packageRoot } from "../../../platform/package-root.ts";

/** A file for browsers. The path of most contains a hash, so that caches can keep them for ever. */
export interface Asset {
  readonly body: Buffer;
  /** The same, compressed when the service was built; absent: it would not become smaller. */
  readonly brotli?: Buffer;
  readonly mediaType: string;
  readonly path: string;
}

/** Where `npm run build` puts the bundles of `browser/` and of `style/`, and `pictures/`. */
const FOLDER = join(packageRoot, "dist/website");

/** The scripts for browsers: one for all pages, one for times, one for the docs, and others that are loaded where they are needed. */
export const SCRIPTS = ["page", "times", "count-worker", "docs", "docs-tabs", "passkey"] as const;

export type Script = (typeof SCRIPTS)[number];

/** Pictures, which `npm run screenshots` takes. */
export const PICTURES = [
  "project-desk-light.webp",
  "project-desk-dark.webp",
  "project-phone-light.webp",
  "project-phone-dark.webp",
  "share.png",
] as const;

export type PictureName = (typeof PICTURES)[number];

/** Icons, which `npm run screenshots -- --published` renders. Browsers and other clients know them by fixed paths. */
const ICONS = {
  [ICON_PATHS.ico]: { name: "favicon.ico", mediaType: "image/x-icon" },
  [ICON_PATHS.png]: { name: "icon.png", mediaType: "image/png" },
} as const;

type IconPath = keyof typeof ICONS;

/** The paths of the icons. */
export const ICON_FILES = Object.keys(ICONS) as IconPath[];

/** A picture with its size in pixels, for which browsers keep space free. */
export interface Picture extends Asset {
  readonly width: number;
  readonly height: number;
}

const scripts = new Map<Script, Asset>();
const pictures = new Map<PictureName, Picture>();
const icons = new Map<IconPath, Asset>();

/** @throws Error when the service was not built */
export function script(name: Script): Asset {
  return readOnce(scripts, name, () => {
    const file = join(FOLDER, `${name}.js`);
    const body = readFileSync(file);
    return { body, brotli: readFileSync(`${file}.br`), mediaType: "text/javascript", path: pathOf(name, "js", body) };
  });
}

/** @throws Error when the service was not built */
export function picture(name: PictureName): Picture {
  return readOnce(pictures, name, () => {
    const body = readFileSync(join(FOLDER, "pictures", name));
    const [base, suffix] = name.split(".") as [string, "png" | "webp"];
    return { body, mediaType: `image/${suffix}`, path: pathOf(base, suffix, body), ...SIZE_OF[suffix](body) };
  });
}

/** The file at a path; undefined: there is none. */
export function assetAt(path: string): Asset | undefined {
  return [...SCRIPTS.map(script), ...PICTURES.map(picture)].find((asset) => asset.path === path);
}

/** @throws Error when the service was not built */
export function icon(path: IconPath): Asset {
  return readOnce(icons, path, () => {
    const { name, mediaType } = ICONS[path];
    return { path, mediaType, body: readFileSync(join(FOLDER, "pictures", name)) };
  });
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

function readOnce<N, A extends Asset>(known: Map<N, A>, name: N, read: () => A): A {
  const asset = known.get(name) ?? read();
  known.set(name, asset);
  return asset;
}

/** How many pixels a picture has: in the header of a PNG (w3.org/TR/png, IHDR), and of a WebP (RFC 9649, VP8X). */
const SIZE_OF = {
  png: (file: Buffer) => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }),
  webp: (file: Buffer) => ({ width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }),
} as const;

function pathOf(name: string, suffix: string, body: Buffer): string {
  const hash = createHash("sha256").update(body).digest("base64url").replace(/[-_]/g, "");
  return `/assets/${name}-${hash.slice(0, 12)}.${suffix}`;
}
