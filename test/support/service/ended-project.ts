import { between, eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { linkKey } from "../../../src/platform/ids.ts";
import type { SurfaceClient } from "./surface-client.ts";

/** Makes a project of two URLs, for two credits, and lets it end without one of them being found. @returns its id */
export async function endedProject(client: SurfaceClient, key: string, db: Engine): Promise<string> {
  const urls = ["https://example.com/ended/1", "https://example.com/ended/2"];
  const { body } = await client.call("submit_urls", { urls }, { key });
  const { id } = body.project;
  await db.tx(async ({ q, t: { projects, links, steps } }) => {
    const ended = { status: "completed", waiting: 0, notIndexed: urls.length };
    const [row] = await q.update(projects).set(ended).where(eq(projects.id, id)).returning();
    const { no } = row!;
    const decided = { state: "not_indexed", error: "no_match" } as const;
    await q
      .update(links)
      .set(decided)
      .where(between(links.id, linkKey(no, 0), linkKey(no, 1)));
    await q.delete(steps).where(eq(steps.projectNo, no));
  });
  return id;
}
