import { afterAll, describe, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { LIMITS } from "../src/platform/limits.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const service = await testService();
afterAll(() => service.close());

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  test("429 rate_limited: runs and dry runs of all watches of a host count together, however they are made", async () => {
    const client = connect(service);
    const { key } = await service.account();
    const call = (name: string, input: Record<string, unknown>) => client.call(name, input, { key });
    const codes: (string | null)[] = [];
    for (let no = 0; no <= LIMITS.watch_reads.count; no++) {
      const sitemap_url = service.site.serve(`/read-${no % 3}.xml`, urlset(["https://example.com/1"]));
      const { watch } = (await call("watch_sitemap", { sitemap_url, status: "active" })).body;
      codes.push((await call("run_watch", { watch_id: watch.id, dry_run: no % 2 === 0 })).code);
      if (no % 4 === 3) await call("watch_sitemap", { watch_id: watch.id, status: "stopped" });
    }
    expect(codes).toEqual([...Array(LIMITS.watch_reads.count).fill(null), "rate_limited"]);
    service.clock.pass(10 * MINUTE);
    const { watches } = (await call("list_watches", {})).body;
    const { id } = watches.find(({ status }: { status: string }) => status === "active");
    expect((await call("run_watch", { watch_id: id })).code).toBeNull();
    await client.close();
  });
});
