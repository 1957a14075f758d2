import { and, asc, eq, gte, inArray, lt, or } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { linkKey } from "../../platform/ids.ts";
import { deleteWindows } from "../people/delete-person.ts";

type Table = keyof Schema;

/**
 * What the deletion of an account does with the rows of a table that belong to it.
 * `stays`: they are needed for the books, or belong to nobody. `at_once`: they go in the transaction that makes the account a
 * tombstone. `in_batches`: there may be too many for that; they go afterwards. `with_project`: they go with their project.
 * `with_person`: they belong to a person, who goes with the last account (src/domain/people/delete-person.ts).
 */
type Fate =
  | { readonly fate: "stays"; readonly why: string }
  | { readonly fate: "at_once"; readonly delete: (tx: Tx, accountId: string) => Promise<unknown> }
  | { readonly fate: "in_batches"; readonly delete: (tx: Tx, accountId: string) => Promise<number> }
  | { readonly fate: "with_project" | "with_person" };

/** Every table of the schema; one that is missing here does not compile. */
export const FATES: Readonly<Record<Table, Fate>> = {
  accounts: stays("becomes the tombstone, without a name"),
  ledger: stays("the books"),
  orders: stays("receipts"),
  cardPayments: stays("what is known of the money behind orders"),
  cardRefunds: stays("what is known of the money behind orders"),
  cardDisputes: stays("what is known of the money behind orders"),
  cardEvents: stays("what is known of the money behind orders"),
  directPayments: stays("what is known of the money behind orders"),
  accountDeletions: stays("ends when everything else is done"),
  meta: stays("facts of the instance"),
  ticks: stays("rounds of work of the instance"),
  clients: stays("apps that registered themselves, for all accounts"),
  signingKeys: stays("the keys of the one issuer"),
  issuerSignIns: stays("browsers at the issuer, before it is known whose they are; they expire within minutes"),
  passkeyChallenges: stays("given to browsers, before it is known whose they are; they expire within minutes"),
  providers: stays("how upstreams are doing, which serve all accounts"),
  providerDays: stays("budgets of upstreams, which serve all accounts"),
  crawlerRanges: stays("networks that operators of crawlers publish"),

  people: { fate: "with_person" },
  members: ofAccount("members"),
  invitations: ofAccount("invitations"),
  apiKeys: ofAccount("apiKeys"),
  sessions: ofAccount("sessions"),
  pendingSignIns: { fate: "with_person" },
  passkeys: { fate: "with_person" },
  authenticatorApps: { fate: "with_person" },
  recoveryCodes: { fate: "with_person" },
  factorRemovals: { fate: "with_person" },
  identities: { fate: "with_person" },
  addressUndos: { fate: "with_person" },
  codes: ofAccount("codes"),
  // Deleted with the grants that they belong to.
  accessTokens: atOnce(async (tx, id) => {
    const { accessTokens } = tx.t;
    await tx.q.delete(accessTokens).where(inArray(accessTokens.grantId, grantsOf(tx, id)));
  }),
  refreshTokens: atOnce(async (tx, id) => {
    const { refreshTokens } = tx.t;
    await tx.q.delete(refreshTokens).where(inArray(refreshTokens.grantId, grantsOf(tx, id)));
  }),
  registrations: atOnce(async (tx, id) => {
    const { registrations } = tx.t;
    await tx.q.delete(registrations).where(inArray(registrations.grantId, grantsOf(tx, id)));
  }),
  grants: ofAccount("grants"),
  connections: ofAccount("connections"),
  connectionAttempts: ofAccount("connectionAttempts"),
  mailLinks: { fate: "with_person" },
  windows: atOnce((tx, id) => deleteWindows(tx, [id])),

  webhooks: ofAccount("webhooks"),
  eventSubscriptions: ofAccount("eventSubscriptions"),
  pushConfigs: ofAccount("pushConfigs"),
  resourceSubscriptions: ofAccount("resourceSubscriptions"),
  endedSessions: ofAccount("endedSessions"),
  mailQueue: { fate: "with_person" },
  noticesOff: ofAccount("noticesOff"),
  noticeDigests: ofAccount("noticeDigests"),

  events: inBatches("events"),
  webhookDeliveries: inBatches("webhookDeliveries"),
  usage: inBatches("usage"),
  keyUsage: inBatches("keyUsage"),
  securityEvents: inBatches("securityEvents"),
  sites: inBatches("sites"),
  visits: inBatches("visits"),
  visitImports: inBatches("visitImports"),
  // Counted on until the projects are gone.
  coverageHosts: inBatches("coverageHosts"),
  coverageDays: inBatches("coverageDays"),
  coveragePages: inBatches("coveragePages"),
  coverageChanges: { fate: "with_project" },
  idempotency: inBatches("idempotency"),
  tasks: inBatches("tasks"),
  taskMessages: inBatches("taskMessages"),
  // Without its row, an export that is being made ends.
  exports: ofAccount("exports"),
  exportChunks: inBatches("exportChunks"),
  // Without its row, a run that is under way writes nothing.
  watches: ofAccount("watches"),
  watchPages: inBatches("watchPages"),
  watchRuns: inBatches("watchRuns"),
  namedPages: ofAccount("namedPages"),
  shares: ofAccount("shares"),
  budgets: ofAccount("budgets"),
  approvals: inBatches("approvals"),
  projects: { fate: "in_batches", delete: deleteProject },
  projectTags: { fate: "with_project" },
  urlSets: { fate: "with_project" },
  links: { fate: "with_project" },
  steps: { fate: "with_project" },
  calls: { fate: "with_project" },
  deliveries: { fate: "with_project" },
  observations: { fate: "with_project" },
  bingChecks: { fate: "with_project" },
  pageFacts: { fate: "with_project" },
  experiments: { fate: "with_project" },
};

/** Deletes the rows that go in one transaction. */
export async function deleteAtOnce(tx: Tx, accountId: string): Promise<void> {
  for (const fate of Object.values(FATES)) if (fate.fate === "at_once") await fate.delete(tx, accountId);
}

/**
 * Deletes some of the other rows: at most the rows of one project, or all rows of one other table.
 * @returns whether there were any
 */
export async function deleteInBatches(tx: Tx, accountId: string): Promise<boolean> {
  for (const fate of Object.values(FATES))
    if (fate.fate === "in_batches" && (await fate.delete(tx, accountId)) > 0) return true;
  return false;
}

function stays(why: string): Fate {
  return { fate: "stays", why };
}

function atOnce(work: (tx: Tx, accountId: string) => Promise<unknown>): Fate {
  return { fate: "at_once", delete: work };
}

/** Tables whose rows say whose they are. */
type Owned = { [K in Table]: Schema[K] extends { accountId: unknown } ? K : never }[Table];

function ofAccount(name: Owned): Fate {
  return atOnce((tx, accountId) => deleteOwned(tx, name, accountId));
}

function inBatches(name: Owned): Fate {
  return { fate: "in_batches", delete: (tx, accountId) => deleteOwned(tx, name, accountId) };
}

async function deleteOwned(tx: Tx, name: Owned, accountId: string): Promise<number> {
  const table = tx.t[name] as Schema["usage"];
  const deleted = await tx.q.delete(table).where(eq(table.accountId, accountId)).returning({ id: table.accountId });
  return deleted.length;
}

function grantsOf({ q, t: { grants } }: Tx, accountId: string) {
  return q.select({ id: grants.id }).from(grants).where(eq(grants.accountId, accountId));
}

/** Deletes one project of the account, with its links, what is queued for them and the evidence. @returns how many projects */
async function deleteProject(tx: Tx, accountId: string): Promise<number> {
  const { projects, links, urlSets, steps, calls, deliveries, observations, bingChecks, pageFacts, experiments } = tx.t;
  const evidence = [deliveries, observations, bingChecks, pageFacts, tx.t.coverageChanges, tx.t.projectTags];
  const ofAccount = tx.q.select().from(projects).where(eq(projects.accountId, accountId));
  const [project] = await ofAccount.orderBy(asc(projects.no)).limit(1);
  if (!project) return 0;
  const { no } = project;
  const stepIds = tx.q.select({ id: steps.id }).from(steps).where(eq(steps.projectNo, no));
  await tx.q.delete(calls).where(inArray(calls.stepId, stepIds));
  for (const table of [steps, urlSets, ...evidence] as (typeof steps)[])
    await tx.q.delete(table).where(eq(table.projectNo, no));
  await tx.q.delete(links).where(and(gte(links.id, linkKey(no, 0)), lt(links.id, linkKey(no + 1, 0))));
  await tx.q.delete(experiments).where(or(eq(experiments.projectNo, no), eq(experiments.controlNo, no)));
  await tx.q.delete(projects).where(eq(projects.no, no));
  return 1;
}
