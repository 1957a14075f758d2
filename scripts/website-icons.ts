import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { packageRoot } from "../src/platform/package-root.ts";
import { ICON_SVG } from "../src/surfaces/website/shell/icon.ts";

const FOLDER = "src/surfaces/website/pictures";

/** Pixels of the icons in favicon.ico: for tabs, and for screens with two and three pixels to one. */
const FAVICON = [16, 32, 48] as const;

/** Pixels of the icon for phones, and for clients of MCP and A2A that show no SVG. */
const LARGE = 192;

/** Renders the icon of the website as PNG and as .ico. @returns the paths of the files */
export async function takeIcons(browser: Browser): Promise<string[]> {
  const images: { size: number; png: Buffer }[] = [];
  for (const size of FAVICON) images.push({ size, png: await pngOf(browser, size) });
  return [write("favicon.ico", icoOf(images)), write("icon.png", await pngOf(browser, LARGE))];
}

async function pngOf(browser: Browser, size: number): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width: size, height: size } });
  const page = await context.newPage();
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${ICON_SVG}`);
  const png = await page.screenshot({ omitBackground: true });
  await context.close();
  return png;
}

/** An ICO file: a header, an entry of 16 bytes for each image, and the images as PNG (learn.microsoft.com, ICONDIR). */
function icoOf(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(({ size, png }, index) => {
    const entry = 6 + 16 * index;
    header.writeUInt8(size, entry);
    header.writeUInt8(size, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

function write(name: string, file: Buffer): string {
  const path = join(FOLDER, name);
  writeFileSync(join(packageRoot, path), file);
  return path;
}
