import { expect, test } from "vitest";
import { portsOf, redirectTarget, targetOf } from "../../../../src/platform/http-client/target.ts";

const ports = portsOf([8443]);
const from = new URL("https://site.example/a/b?c");

test.each([
  ["HTTPS://Site.Example./x#y", "https://site.example/x"],
  ["http://site.example:443/", "http://site.example:443/"],
  ["https://site.example:8443", "https://site.example:8443/"],
  ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
  ["http://site.example\\@10.0.0.1/", "http://site.example/@10.0.0.1/"],
])("%s is %s", (text, href) => {
  expect(targetOf(text, ports).href).toBe(href);
});

test.each([
  ["", "d?e#f", "https://site.example/a/d?e"],
  ["", "http://site.example/", "http://site.example/"],
  ["", "//other.example/", "https://other.example/"],
  ["same host", "https://site.example:8443/", "https://site.example:8443/"],
  ["same host", "https://SITE.example./", "https://site.example/"],
])("a redirect (%s) to %s leads to %s", (rule, location, href) => {
  expect(redirectTarget(from, location, ports, rule !== "").href).toBe(href);
});

test.each([
  ["http://site.example/"],
  ["https://www.site.example/"],
  ["https://site.example.other.example/"],
  ["//other.example/"],
])("left_host: with sameHost a redirect may not leave the host, or go from https to http: %s", (location) => {
  expect(() => redirectTarget(from, location, ports, true)).toThrow("left_host");
});

test.each(["ftp://site.example/", "ws://site.example/", "https://user@site.example/", "https://site..example/"])(
  "bad_url: a redirect to %s",
  (location) => {
    expect(() => redirectTarget(from, location, ports, false)).toThrow("bad_url");
  },
);

test("a redirect may be repeated, but not with another value", () => {
  expect(redirectTarget(from, ["/x", "/x"], ports, false).href).toBe("https://site.example/x");
  for (const other of [["/x", "/y"], ["", ""], []]) {
    expect(() => redirectTarget(from, other, ports, false)).toThrow("broken");
  }
});

test("with sameHost a redirect may go from http to https", () => {
  const http = new URL("http://site.example/");
  expect(redirectTarget(http, "https://site.example/", ports, true).href).toBe("https://site.example/");
});

test.each([
  ["https://www.site.example/", "https://site.example/a"],
  ["https://site.example/", "https://www.site.example/a"],
])("with or_www a redirect from %s may lead to %s", (start, location) => {
  expect(redirectTarget(new URL(start), location, ports, "or_www").href).toBe(location);
});

test.each([
  "https://wwww.site.example/",
  "https://www.www.site.example/",
  "https://www.other.example/",
  "http://www.site.example/",
])("left_host: with or_www a redirect to %s", (location) => {
  expect(() => redirectTarget(from, location, ports, "or_www")).toThrow("left_host");
});
