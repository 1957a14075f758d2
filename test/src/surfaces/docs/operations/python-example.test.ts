import { expect, test } from "vitest";
import { pythonExample } from "../../../../../src/surfaces/docs/operations/python-example.ts";

const url = "https://example.com/api/v1/projects";

test("a POST with a key: the body is a literal of Python", () => {
  const body = {
    urls: ['https://example.com/"'],
    bing: true,
    yandex: false,
    name: null,
    drip_days: 7,
    more: { a: [] },
  };
  expect(pythonExample({ url, body, needsKey: true, isError: false })).toBe(`import json
import os
import urllib.request

request = urllib.request.Request(
    "https://example.com/api/v1/projects",
    data=json.dumps({"urls": ["https://example.com/\\""], "bing": True, "yandex": False, "name": None, "drip_days": 7, "more": {"a": []}}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['BECKON_API_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`);
});

test("a GET without a key has neither headers nor a body", () => {
  expect(pythonExample({ url, body: null, needsKey: false, isError: false })).toBe(`import urllib.request

request = urllib.request.Request(
    "https://example.com/api/v1/projects",
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`);
});

test("an answer that is an error is printed too", () => {
  const program = pythonExample({ url, body: null, needsKey: false, isError: true });
  expect(program).toContain("import urllib.error\nimport urllib.request\n");
  expect(program).toContain("except urllib.error.HTTPError as error:\n    print(error.code, error.read().decode())");
});
