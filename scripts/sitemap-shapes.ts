import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { realSitemaps, realSitemapsFolder, shapeOf } from "../test/support/watches/site-shapes.ts";

/**
 * `tsx scripts/sitemap-shapes.ts`: writes test/support/watches/site-shapes.json from the real sitemaps in the folder that
 * REAL_SITEMAPS names, so that tests make up sites like them where they are not at hand. It has figures, and no address.
 */
const folder = realSitemapsFolder();
if (folder === null) {
  console.error("There are no real sitemaps here: set REAL_SITEMAPS to a folder of them.");
  process.exit(1);
}
const shapes = [...realSitemaps(folder).values()].map(shapeOf);
const file = join(packageRoot, "test/support/watches/site-shapes.json");
writeFileSync(file, `${JSON.stringify(shapes, null, 2)}\n`);
console.log(`${shapes.length} shapes in ${file}; npm run fix formats it.`);
