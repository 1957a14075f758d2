import { afterAll, expect, test } from "vitest";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { request } = service;
afterAll(() => service.close());

const { key } = await service.account({ credits: 2_000 });
const urls = Array.from({ length: 1_200 }, (_, i) => `https://example.com/${i}?a="b",c`);
const { project } = (await request("POST", "/projects", { key, body: { urls } })).json;
const path = `/projects/${project.id}/links`;

test("200 text/csv: the Accept header returns the whole project, whatever page was requested", async () => {
  const answer = await request("GET", `${path}?limit=1`, { key, headers: { Accept: "text/csv" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("ratelimit-limit")).toBe("120");
  const lines = answer.text.split("\r\n");
  expect(lines).toHaveLength(1 + 1_200 + 1);
  expect(lines[1]).toContain("https://example.com/0?a=%22b%22,c");
});

test("200 text/csv: the suffix .csv returns the same", async () => {
  const byAccept = await request("GET", path, { key, headers: { Accept: "application/json;q=0.5, text/csv" } });
  const bySuffix = await request("GET", `${path}.csv`, { key });
  expect(bySuffix.text).toBe(byAccept.text);
  expect((await request("GET", `${path}.csv?status=indexed`, { key })).text.split("\r\n")).toHaveLength(2);
});

test("200: the answer is JSON unless Accept prefers CSV", async () => {
  for (const Accept of ["*/*", "text/html", "text/csv;q=0.5, application/json", "text/csv;q=0"]) {
    const answer = await request("GET", path, { key, headers: { Accept } });
    expect([Accept, answer.headers.get("content-type")]).toEqual([Accept, "application/json; charset=utf-8"]);
  }
});

test("200: HEAD of the CSV sends only the headers", async () => {
  const answer = await request("HEAD", `${path}.csv`, { key });
  expect([answer.status, answer.text]).toEqual([200, ""]);
});

test("400, 401, 405: an error before the first line is answered as JSON", async () => {
  expect((await request("GET", `${path}.csv?status=odd`, { key })).json.error.code).toBe("invalid_request");
  expect((await request("GET", `${path}.csv`)).json.error.code).toBe("unauthorized");
  expect((await request("POST", `${path}.csv`, { key })).json.error.code).toBe("method_not_allowed");
});

test("an error in the middle closes the connection, so that no client mistakes a part for the whole", async () => {
  const { representations } = (await import("../../tools/list-links.ts")).default;
  const [csv] = representations as unknown as [{ stream: unknown }];
  const { stream } = csv;
  csv.stream = async () =>
    (async function* () {
      yield "id,url\r\n";
      throw new Error("the disk is gone");
    })();
  try {
    await expect(request("GET", `${path}.csv`, { key })).rejects.toThrow();
    expect(service.errors).toHaveLength(1);
  } finally {
    csv.stream = stream;
  }
});
