import { afterAll, expect, test, vi } from "vitest";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { testService } from "../../../support/service/service.ts";
import { GOOGLEBOT, VERIFIED } from "../../../support/visits/log-lines.ts";
import { verifiedSite } from "../../../support/visits/verified-site.ts";

const service = await testService({ publishUrl: true });
afterAll(async () => {
  vi.unstubAllGlobals();
  await service.close();
});

interface Worker {
  fetch(request: Request, env: object, context: { waitUntil(work: Promise<unknown>): void }): Promise<Response>;
}

test("the Worker of the page sends visits of crawlers, and nothing of people, to a push address", async () => {
  const page = documentsOf(service.config).find(({ path }) => path === "/docs/visits")!;
  const [, source = ""] = /```js\n([\s\S]*?)```/.exec(page.markdown) ?? [];
  const { default: worker } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    default: Worker;
  };
  const { id, key } = await service.account();
  await verifiedSite(service, id, "www.example.com");
  await service.request("POST", "/projects", { key, body: { urls: ["https://www.example.com/a?b=c"] } });
  const body = { host: "www.example.com", rotate_push_secret: true };
  const { push_url: PUSH_URL, push_secret: PUSH_SECRET } = (await service.request("POST", "/sites", { key, body }))
    .json;

  const real = globalThis.fetch;
  const answers: unknown[] = [];
  vi.spyOn(Date, "now").mockReturnValue(service.clock.now());
  vi.stubGlobal("fetch", async (target: Request | string, init?: RequestInit) => {
    if (typeof target !== "string") return new Response("page");
    const response = await real(target, init);
    answers.push(await response.json());
    return response;
  });
  const visit = async (agent: string) => {
    const work: Promise<unknown>[] = [];
    const headers = { "User-Agent": agent, "CF-Connecting-IP": VERIFIED.google };
    const request = new Request("https://www.example.com/a?b=c", { headers });
    const response = await worker.fetch(request, { PUSH_URL, PUSH_SECRET }, { waitUntil: (one) => work.push(one) });
    await Promise.all(work);
    return response.text();
  };
  expect(await visit(GOOGLEBOT)).toBe("page");
  expect(await visit("Mozilla/5.0 (Windows NT 10.0) Firefox/140.0")).toBe("page");
  vi.restoreAllMocks();
  expect(answers).toMatchObject([{ lines: 1, matched: 1, verified: 1 }]);
});
