import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { script } from "../../../../../src/surfaces/website/shell/assets.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn, type User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

let user: User;
let project: string;
beforeAll(async () => {
  const owner = await signedIn(service);
  user = owner.user;
  const urls = Array.from({ length: 60 }, (_, i) => `https://www.example.com/articles/page-${i}`);
  project = await projectOf(service, owner.accountId, urls, { name: "Spring articles" });
});

interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, still compressed. */
  readonly body: Buffer;
}

/** Sends a request as the user's browser would, and reads the answer without decompressing it. */
async function get(path: string, headers: Record<string, string> = {}): Promise<Sent> {
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = request(`${service.url}${path}`, {
    headers: { Accept: "text/html", "Accept-Encoding": "gzip, br", Cookie: cookie, ...headers },
  }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode!, headers: response.headers, body };
}

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe("what is the same for everybody", () => {
  const paths = ["/", "/docs/limits", "/docs/limits.md", "/openapi.json", "/llms.txt", "/postman.json"];
  test.each(paths)("200 %s: compressed as the browser can read it, and the same afterwards", async (path) => {
    const plain = await get(path, { "Accept-Encoding": "identity" });
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const sent = await get(path, { "Accept-Encoding": encoding, "Sec-Fetch-Site": "cross-site" });
      expect([sent.status, sent.headers["content-encoding"]]).toEqual([200, encoding]);
      expect(sent.headers.vary).toMatch(/\bAccept-Encoding\b/);
      expect(sent.headers.etag).toBe(plain.headers.etag);
      expect(sent.headers.etag).toMatch(/^W\//);
      expect(sent.body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(sent.body).equals(plain.body)).toBe(true);
    }
    const again = await get(path, { "If-None-Match": plain.headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers.vary).toMatch(/\bAccept-Encoding\b/);
  });

  test("200 for a script: the file that was compressed when it was built", async () => {
    const { path, body } = script("page");
    const packed = await get(path);
    expect([packed.headers["content-encoding"], packed.headers["content-type"]]).toEqual([
      "br",
      "text/javascript; charset=utf-8",
    ]);
    expect(brotliDecompressSync(packed.body).equals(body)).toBe(true);
    const plain = await get(path, { "Accept-Encoding": "gzip;q=0, br;q=0" });
    expect([plain.headers["content-encoding"], plain.body.equals(body)]).toEqual([undefined, true]);
    for (const { headers } of [packed, plain]) expect(headers.vary).toMatch(/\bAccept-Encoding\b/);
  });
});

describe("pages of an account", () => {
  test("200: compressed; 304 for the version of a project that the browser has", async () => {
    const page = await get(`/dashboard/projects/${project}`);
    expect([page.status, page.headers["content-encoding"]]).toEqual([200, "br"]);
    const again = await get(`/dashboard/projects/${project}`, { "If-None-Match": page.headers.etag! });
    expect([page.headers.etag?.slice(0, 3), again.status, again.body.length]).toEqual(['W/"', 304, 0]);
  });

  test("200: a download is compressed, and the same as the API's answer afterwards", async () => {
    for (const suffix of ["csv", "json"] as const) {
      const packed = await get(`/dashboard/projects/${project}/links.${suffix}`);
      const plain = await get(`/dashboard/projects/${project}/links.${suffix}`, { "Accept-Encoding": "identity" });
      expect([packed.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual(["br", undefined]);
      expect(brotliDecompressSync(packed.body).equals(plain.body)).toBe(true);
    }
  });

  test("law: no page that another site asked for is compressed", async () => {
    for (const path of ["/dashboard", "/dashboard/projects?search=a", `/dashboard/projects/${project}`, "/sign-in"])
      for (const site of ["cross-site", "same-site"]) {
        const sent = await get(path, { "Sec-Fetch-Site": site });
        expect([path, sent.headers["content-encoding"]]).toEqual([path, undefined]);
      }
  });

  test("law: the page that shows a new key is not compressed, and not by a proxy either", async () => {
    const form = await user.get("/dashboard/keys");
    const page = await user.submit(form, { name: "My script" }, "/dashboard/keys");
    expect(page.html).toMatch(/bk_test_[\w-]{20,}/);
    expect([page.headers.get("content-encoding"), page.headers.get("cache-control")]).toEqual([
      null,
      "no-store, no-transform",
    ]);
  });
});

test("law: the answers of the API are not compressed", async () => {
  const { key } = await service.account();
  for (const path of ["/api/v1/pricing", "/api/v1/ledger", "/api/v1/nothing"]) {
    const sent = await get(path, { Authorization: `Bearer ${key}` });
    expect([path, sent.headers["content-encoding"]]).toEqual([path, undefined]);
  }
});

/** The tokens of the forms of a page. */
const tokensIn = (html: string) => [...html.matchAll(/name="token" value="([^"]+)"/g)].map(([, token]) => token!);

test("law: the length of a compressed page gives nothing away of the form token, even if the page repeats a search", async () => {
  const path = (search: string) => `/dashboard/projects?search=${search}`;
  const lengthFor = async (search: string) => (await get(path(search), { "Accept-Encoding": "gzip" })).body.length;
  const page = gunzipSync((await get(path("x"), { "Accept-Encoding": "gzip" })).body).toString();
  const [token] = tokensIn(page) as [string];
  const random = () => randomBytes(token.length).toString("base64url").slice(0, token.length);

  // A constant token would betray itself: a page that holds what was guessed right is shorter.
  const reflecting = (guess: string) => gzipSync(page.replace('value="x"', `value="${guess}"`)).length;
  expect(reflecting(random()) - reflecting(token)).toBeGreaterThan(30);

  let [guessed, other] = [0, 0];
  for (let times = 0; times < 20; times++) {
    guessed += await lengthFor(token);
    other += await lengthFor(random());
  }
  expect(Math.abs(guessed - other) / 20).toBeLessThan(8);
});
