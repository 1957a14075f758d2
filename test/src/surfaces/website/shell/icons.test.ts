import { afterAll, expect, test } from "vitest";
import { iconsOf } from "../../../../../src/platform/icons.ts";
import { ICON_SVG } from "../../../../../src/surfaces/website/shell/icon.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

const get = (path: string) => fetch(service.url + path);

test("200 /favicon.ico: three sizes as PNG, kept for a day", async () => {
  const response = await get("/favicon.ico");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  const file = Buffer.from(await response.arrayBuffer());
  expect([file.readUInt16LE(2), file.readUInt16LE(4)]).toEqual([1, 3]);
  const images = [0, 1, 2].map((index) => {
    const entry = 6 + 16 * index;
    const [length, offset] = [file.readUInt32LE(entry + 8), file.readUInt32LE(entry + 12)];
    return { size: file.readUInt8(entry), png: file.subarray(offset, offset + length) };
  });
  expect(images.map(({ size }) => size)).toEqual([16, 32, 48]);
  for (const { size, png } of images) expect(sizeOf(png)).toEqual([size, size]);
  const tag = response.headers.get("etag")!;
  const again = await fetch(`${service.url}/favicon.ico`, { headers: { "If-None-Match": tag } });
  expect(tag && [200, 304]).toContain(again.status);
});

test("200: every icon that cards name is there, in its format and size", async () => {
  const [svg, png] = iconsOf(service.url);
  const picture = await fetch(svg!.src);
  expect([picture.headers.get("content-type"), await picture.text()]).toEqual([svg!.mimeType, ICON_SVG]);
  const pixels = await fetch(png!.src);
  expect(pixels.headers.get("content-type")).toBe(png!.mimeType);
  expect(sizeOf(Buffer.from(await pixels.arrayBuffer())).join("x")).toBe(png!.sizes[0]);
});

test("200: every page names the icons", async () => {
  const html = await (await get("/sign-in")).text();
  for (const path of ["/favicon.ico", "/icon.svg", "/icon.png"]) expect(html).toContain(`href="${path}"`);
});

/** Width and height in the header of a PNG. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
