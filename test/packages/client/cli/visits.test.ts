import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLog, partsOf } from "../../../../packages/client/src/cli/read-log.ts";
import { client, userOf } from "../../../support/client/beckon-client.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
import { type TestService, testService } from "../../../support/service/service.ts";
import { combined } from "../../../support/visits/log-lines.ts";
import { verifiedSite } from "../../../support/visits/verified-site.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

async function user() {
  const { id, key } = await service.account({ credits: 100 });
  await verifiedSite(service, id, "example.com");
  await service.request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  return userOf(service.url, key);
}

const SITE = ["--site", "example.com"];
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${combined({ at: service.clock.now() - i, path: i % 2 ? "/" : "/x" })}\n`,
  ).join("");

function fileOf(content: string | Buffer, name = "access.log"): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, content);
  return file;
}

test("visits sends a log in parts of whole lines, packed or not, and the same file again changes nothing", async () => {
  const env = await user();
  const count = 60_000;
  const log = lines(count);
  expect(log.length).toBeGreaterThan(8_000_000);
  const first = await client(env, ["visits", fileOf(log), ...SITE]);
  expect([first.code, first.json()]).toMatchObject([
    0,
    { parts: 3, replayed_parts: 0, lines: count, matched: count / 2, verified: count / 2, unreadable: 0 },
  ]);
  const again = await client(env, ["visits", fileOf(gzipSync(log), "access.log.1"), ...SITE]);
  expect(again.json()).toMatchObject({ parts: 3, replayed_parts: 3, lines: 0, matched: 0 });
});

test("visits reads standard input and several files, and says for people what came of it", async () => {
  const env = await user();
  const half = gzipSync(lines(1_000));
  const [one, two] = [fileOf(lines(4)), fileOf(half.subarray(0, half.length / 2), "cut.gz")];
  const { out, code } = await client(env, ["visits", one, two, ...SITE], { isOutputTerminal: true });
  expect(code).toBe(0);
  expect(out).toMatch(/visits to your links +\d+\n/);
  expect(out).toMatch(/Googlebot/);
  const { json } = await client(env, ["visits", "-", ...SITE], { stdin: Buffer.from(lines(8)) });
  expect(json()).toMatchObject({ lines: 8, matched: 4 });
});

test.each([
  ["no site", ["-"], "--site"],
  ["no file", SITE, "FILE is missing"],
  ["a missing file", ["gone.log", ...SITE], '"gone.log" is not a file'],
])("2: %s", async (_, args, message) => {
  const { code, err } = await client(await user(), ["visits", ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("2: a file that is broken inside its compression, and a large JSON list", async () => {
  const env = await user();
  const broken = gzipSync(lines(100));
  broken.fill(0xff, 30, 60);
  expect(await client(env, ["visits", fileOf(broken), ...SITE])).toMatchObject({
    code: 2,
    err: expect.stringContaining("cannot be unpacked"),
  });
  const list = `[${JSON.stringify({ path: "/", pad: "x".repeat(200) })}${",{}".repeat(1_500_000)}]`;
  expect(await client(env, ["visits", fileOf(list), ...SITE])).toMatchObject({
    code: 2,
    err: expect.stringContaining("jq -c"),
  });
});

test("a log of 200 MB is read in bounded memory, a part at a time", async () => {
  const block = Buffer.from(lines(5_000));
  const chunks = async function* () {
    for (let bytes = 0; bytes < 200e6; bytes += block.length) yield block;
  };
  const input = await openLog("-", { input: chunks() });
  let [bytes, read, most] = [0, 0, 0];
  for await (const part of partsOf(input, (more) => {
    read += more;
  })) {
    expect(part.length).toBeLessThanOrEqual(4_000_000);
    expect(part.at(-1)).toBe(0x0a);
    bytes += part.length;
    most = Math.max(most, read - bytes);
  }
  expect(bytes).toBe(read);
  expect(most).toBeLessThan(8e6);
});
