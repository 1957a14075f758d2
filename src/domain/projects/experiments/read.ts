import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, or } from "drizzle-orm";
import type { Reader } from "../../../../db/engine.ts";
import type { Schema } from "../../../../db/schema.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { linkKey, projectNoOf } from "../../../platform/ids.ts";
import type { Finding } from "../findings.ts";
import type { ProjectRow } from "../read.ts";
import { reportOf } from "../report.ts";
import { matchingLinks } from "../submitted.ts";
import { type Arm, type Comparison, compare } from "./compare.ts";

export type ExperimentRow = Schema["experiments"]["$inferSelect"];

/** An experiment with its arms, by one query. @throws Refusal not_found, also for an experiment of another account */
export async function findExperiment(
  db: Reader,
  accountId: string,
  id: string,
): Promise<{ readonly experiment: ExperimentRow; readonly arms: Arms }> {
  const { experiments, projects } = db.t;
  const isIt = and(eq(experiments.id, id), eq(experiments.accountId, accountId));
  const rows = await db.q
    .select({ experiment: experiments, project: projects })
    .from(experiments)
    .innerJoin(projects, or(eq(projects.no, experiments.projectNo), eq(projects.no, experiments.controlNo)))
    .where(isIt);
  const experiment = rows[0]?.experiment;
  if (experiment)
    return {
      experiment,
      arms: armsIn(
        experiment,
        rows.map(({ project }) => project),
      ),
    };
  throw new Refusal(
    "not_found",
    "This account has no such experiment. A submission with holdout_percent answers its id.",
  );
}

export interface Arms {
  readonly sent: ProjectRow;
  readonly held: ProjectRow;
}

export async function armsOf(db: Reader, experiment: ExperimentRow): Promise<Arms> {
  const { projects } = db.t;
  const isArm = inArray(projects.no, [experiment.projectNo, experiment.controlNo]);
  return armsIn(experiment, await db.q.select().from(projects).where(isArm));
}

function armsIn({ projectNo, controlNo }: ExperimentRow, projects: readonly ProjectRow[]): Arms {
  const at = (no: number) => projects.find((project) => project.no === no)!;
  return { sent: at(projectNo), held: at(controlNo) };
}

/** What both arms came to. Only of an experiment that is decided. */
export async function outcomeOf(
  db: Reader,
  { sent, held }: Arms,
): Promise<Comparison & { readonly sent: Arm; readonly held: Arm }> {
  const arms = { sent: await armOf(db, sent), held: await armOf(db, held) };
  return { ...arms, ...compare(arms.sent, arms.held) };
}

/** What was found, and what was not, by the last look at each page. */
async function armOf(db: Reader, project: ProjectRow): Promise<Arm> {
  const { groups } = await reportOf(db, project);
  const count = (...findings: Finding[]) =>
    groups.filter(({ finding }) => findings.includes(finding)).reduce((sum, group) => sum + group.count, 0);
  return { n: project.total, found: count("indexed"), notFound: count("gone", "not_indexed") };
}

/** How many pages of each arm another project of the account has sent while the experiment ran. */
export async function sentElsewhere(
  db: Reader,
  { accountId, projectNo, createdAt, decidedAt }: ExperimentRow,
  { sent, held }: Arms,
): Promise<Readonly<Record<keyof Arms, number>>> {
  const { projects, links, urlSets } = db.t;
  const end = decidedAt ?? Number.MAX_SAFE_INTEGER;
  const isOther = and(eq(projects.accountId, accountId), eq(projects.kind, "index"), ne(projects.no, projectNo));
  const isMeanwhile = and(
    lt(projects.createdAt, end),
    or(isNull(projects.completedAt), gt(projects.completedAt, createdAt)),
  );
  const others = db.q.select({ no: projects.no }).from(projects).where(and(isOther, isMeanwhile));
  const pages = await db.q
    .select({ id: links.id, url: links.url })
    .from(links)
    .where(or(isOf(db, sent), isOf(db, held)));
  const found = await matchingLinks(
    db,
    accountId,
    pages.map(({ url }) => url),
    { isSet: inArray(urlSets.projectNo, others), isLink: and(isNotNull(links.sentAt), lt(links.sentAt, end))! },
  );
  const countOf = ({ no }: ProjectRow) => pages.filter(({ id }, at) => found[at] && projectNoOf(id) === no).length;
  return { sent: countOf(sent), held: countOf(held) };
}

function isOf({ t: { links } }: Reader, { no }: ProjectRow) {
  return and(gte(links.id, linkKey(no, 0)), lt(links.id, linkKey(no + 1, 0)));
}
