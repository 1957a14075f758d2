import { build } from "../scripts/build/build.mjs";
import { createKey } from "../src/domain/credentials/keys.ts";
import { post } from "../src/domain/ledger/ledger.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { progressOf } from "../src/domain/projects/progress.ts";
import { projectOf } from "../src/domain/projects/read.ts";
import { DAY, MINUTE } from "../src/platform/clock.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";
import { testChecker } from "../test/support/service/checker.ts";
import { testService } from "../test/support/service/service.ts";
import { signedIn } from "../test/support/website/user.ts";
import { measured } from "./measured.ts";
import { pageUrl } from "./support.ts";

/**
 * The service in a process of its own, over a SQLite file: an account with a project of `links` URLs that has been checked
 * once, and as many projects of one URL as it takes to have `projects`. It reports what the parent needs to ask for them.
 */
const [links, projects] = process.argv.slice(2).map(Number) as [number, number];

await build();
const service = await testService({ publishUrl: true });
const { db, clock } = service;
const { user, accountId } = await signedIn(service);
const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0, accountId } as const;
const { key, id } = await db.tx(async (tx) => {
  const now = clock.now();
  const times = { now, service: clock.service() };
  await post(tx, { accountId, kind: "adjustment", credits: links + projects, source: "bench", description: "", now });
  const urls = Array.from({ length: links }, (_, index) => pageUrl(index));
  const { project } = await createProject(tx, { ...draft, urls: packUrls(urls), ...times, name: "All of a site" });
  return { key: await createKey(tx, { accountId, name: "bench", mode: "sandbox", now }), id: project.id };
});
await testChecker(service).until(clock.service() + 5 * DAY);

const BATCH = 500;
for (let made = 1; made < projects; made += BATCH)
  await db.tx(async (tx) => {
    const times = { now: clock.now(), service: clock.service() };
    for (let index = made; index < Math.min(made + BATCH, projects); index++)
      await createProject(tx, {
        ...draft,
        urls: packUrls([pageUrl(links + index)]),
        ...times,
        name: `Project ${index}`,
      });
  });

const project = (await projectOf(db, accountId, id))!;
const progress = await progressOf(db, project, clock.service());
// Each round is in a minute of its own, which has its own limit of requests.
process.on("message", (message) => {
  if (message === "reset") clock.pass(MINUTE);
});
measured({
  address: service.url,
  key,
  cookie: user.cookies.get("sid")!,
  project: id,
  history: progress.history,
  from: project.createdAt,
  to: project.createdAt + 14 * DAY,
});
