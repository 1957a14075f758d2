import express from "express";
import { afterAll, expect, test } from "vitest";
import { readSessionCookie, setSessionCookie } from "../../../../../src/surfaces/website/shell/session-cookie.ts";
import { listen } from "../../../../support/service/listen.ts";

const app = express();
app.get("/:scheme", (req, res) => {
  const isSecure = req.params.scheme === "https";
  const held = readSessionCookie(req, isSecure);
  setSessionCookie(res, "value", isSecure);
  res.json({ held });
});
const server = await listen(app);
afterAll(() => server.close());

function get(scheme: "http" | "https", cookie = ""): Promise<Response> {
  return fetch(`${server.url}/${scheme}`, { headers: cookie ? { Cookie: cookie } : {} });
}

test("on https the cookie is for this host only, and neither scripts nor plain connections get it", async () => {
  const [line, ...more] = (await get("https")).headers.getSetCookie();
  expect(more).toEqual([]);
  const [pair, ...attributes] = line!.split("; ");
  expect(pair).toBe("__Host-sid=value");
  expect(attributes).toEqual(
    expect.arrayContaining(["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"]),
  );
  expect(line).not.toMatch(/domain/i);
});

test("on http it has another name, since browsers accept neither the prefix nor Secure there", async () => {
  const [line] = (await get("http")).headers.getSetCookie();
  expect(line).toMatch(/^sid=value; /);
  for (const attribute of ["; Path=/", "; HttpOnly", "; SameSite=Lax"]) expect(line).toContain(attribute);
  expect(line).not.toMatch(/domain|secure/i);
});

for (const [scheme, cookie, held] of [
  ["http", "sid=a", "a"],
  ["http", "x=1; sid=a;y=2", "a"],
  ["http", "", null],
  ["http", "xsid=a; sidx=b", null],
  ["http", "sid=a; sid=b", null],
  ["http", "sid=a; sid=a", null],
  ["http", "__Host-sid=a", null],
  ["https", "__Host-sid=a", "a"],
  ["https", "sid=a", null],
  ["https", "__host-sid=a", null],
] as const) {
  test(`law: on ${scheme}, "${cookie}" holds ${held}`, async () => {
    expect(await (await get(scheme, cookie)).json()).toEqual({ held });
  });
}
