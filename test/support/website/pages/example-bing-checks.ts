import { eq } from "drizzle-orm";
import { DAY } from "../../../../src/platform/clock.ts";
import { packRange } from "../../../../src/platform/link-set.ts";
import type { TestService } from "../../service/service.ts";

/** Lets Bing answer, in both checks of a project, that it has most of the links. */
export async function addBingChecks({ db }: TestService, projectId: string): Promise<void> {
  const { projects, bingChecks } = db.t;
  const [project] = await db.q.select().from(projects).where(eq(projects.id, projectId));
  const { no: projectNo, createdAt, total } = project!;
  const [most, few] = [Math.floor(total * 0.7), Math.floor(total * 0.2)];
  const said = [
    { result: "indexed", reason: null, ...packRange(0, most) },
    { result: "not_indexed", reason: null, ...packRange(most, few) },
    { result: "unknown", reason: "crawled", ...packRange(most + few, total - most - few) },
  ] as const;
  const looks = [
    { stage: "day_4", at: createdAt + 4 * DAY },
    { stage: "day_14", at: createdAt + 14 * DAY },
  ] as const;
  const rows = looks.flatMap((look) => said.map((one) => ({ projectNo, ...look, ...one })));
  await db.tx((tx) => tx.q.insert(bingChecks).values(rows));
}
