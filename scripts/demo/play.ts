import { setTimeout as sleep } from "node:timers/promises";
import { audit } from "../../src/domain/audit/audit.ts";
import { DAY } from "../../src/platform/clock.ts";
import { SIZES } from "../../src/platform/sizes.ts";
import { connectAgent, type Project } from "./agent.ts";
import type { ThrowAway } from "./service.ts";

/** Half a second between two reads of a project keeps far below 120 requests a minute. */
const PACE_MS = 500;

/**
 * Submits the URLs, in projects of at most 10,000, and follows them to their end.
 * @param follow called with the projects and the number of days that have passed
 */
export async function play(
  { service, key }: ThrowAway,
  urls: readonly string[],
  name: string,
  follow: (projects: readonly Project[], days: number) => void,
) {
  const { db, clock } = service.instance;
  const agent = await connectAgent(service.address, key);
  const batches = batchesOf(urls);
  const startedAt = clock.service();
  let projects: Project[] = [];
  for (const [index, batch] of batches.entries()) {
    const { credits, enough } = await agent.estimate(batch);
    if (!enough) throw new Error(`the ${credits} credits of the estimate are not there`);
    const title = batches.length === 1 ? name : `${name} (${index + 1} of ${batches.length})`;
    projects.push((await agent.submit(batch, title)).project);
  }
  while (projects.some(({ status }) => status === "active")) {
    follow(projects, (clock.service() - startedAt) / DAY);
    await sleep(PACE_MS * projects.length);
    projects = await Promise.all(projects.map(({ id }) => agent.project(id)));
  }
  follow(projects, (clock.service() - startedAt) / DAY);
  const { credits: balance } = await agent.account();
  await agent.close();
  return { projects, balance, report: await audit(db) };
}

function batchesOf(urls: readonly string[]): string[][] {
  const count = Math.ceil(urls.length / SIZES.urlsPerSubmission);
  return Array.from({ length: count }, (_, i) =>
    urls.slice(i * SIZES.urlsPerSubmission, (i + 1) * SIZES.urlsPerSubmission),
  );
}
