import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import {
  parseForm,
  refuseClientSecrets,
  refuseUnlessForm,
  requiredParameter,
} from "../../../../src/surfaces/oauth/form.ts";

const parse = (text: string) => Object.fromEntries(parseForm(Buffer.from(text)));

test.each([
  ["", {}],
  ["a=1&b=2", { a: "1", b: "2" }],
  ["a=x+y%20z%2B", { a: "x y z+" }],
  ["a=&b=2", { b: "2" }],
  ["a", {}],
  ["=x", { "": "x" }],
  ["a=1&&b=2&", { a: "1", b: "2" }],
  ["a=%zz%e2%82%ac", { a: "%zz€" }],
  ["constructor=1&toString=2", { constructor: "1", toString: "2" }],
])("%j is parsed as %j: each parameter once, without empty ones", (text, fields) => {
  expect(parse(text)).toEqual(fields);
});

test("__proto__ is a parameter like any other", () => {
  const form = parseForm(Buffer.from("__proto__=x"));
  expect([...form]).toEqual([["__proto__", "x"]]);
});

test.each([
  ["a=1&a=2", "a was sent more than once."],
  ["a=1&a=1", "a was sent more than once."],
  ["a=1&%61=1", "a was sent more than once."],
  ['"><script>=1&"><script>=2', "A parameter was sent more than once."],
  [`${"n".repeat(41)}=1&${"n".repeat(41)}=2`, "A parameter was sent more than once."],
])("invalid_request: %s", (text, message) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: "invalid_request", message }));
});

test("resource may be sent several times, and is a list with spaces (RFC 8707 section 2)", () => {
  expect(parse("resource=https://a.example/x&resource=&resource=https://b.example/y")).toEqual({
    resource: "https://a.example/x https://b.example/y",
  });
});

test("an empty parameter does not count as a repetition", () => {
  expect(parse("a=&a=1")).toEqual({ a: "1" });
});

test("invalid_request: a required parameter is missing", () => {
  const form = parseForm(Buffer.from("token=x&code="));
  expect(requiredParameter(form, "token")).toBe("x");
  expect(() => requiredParameter(form, "code")).toThrow(expect.objectContaining({ code: "invalid_request" }));
});

test.each(["client_secret", "client_assertion", "client_assertion_type"])("invalid_client: %s", (name) => {
  expect(() => refuseClientSecrets(parseForm(Buffer.from(`${name}=x`)))).toThrow(
    expect.objectContaining({ code: "invalid_client", headers: { "WWW-Authenticate": 'Basic realm="beckon"' } }),
  );
  expect(() => refuseClientSecrets(parseForm(Buffer.from(`${name}=&client_id=x&assertion=y`)))).not.toThrow();
});

test.each([
  [{ "content-type": "application/x-www-form-urlencoded" }, null],
  [{ "content-type": "APPLICATION/x-www-form-urlencoded;charset=utf-8" }, null],
  [{ "content-type": "application/json" }, "unsupported_media_type"],
  [{}, "unsupported_media_type"],
  [{ "content-type": "application/x-www-form-urlencoded", authorization: "" }, "invalid_client"],
  [{ authorization: "Basic Og==" }, "invalid_client"],
])("%j: %s", (headers, code) => {
  const check = () => refuseUnlessForm({ headers } as IncomingMessage);
  if (code) expect(check).toThrow(expect.objectContaining({ code }));
  else expect(check).not.toThrow();
});
