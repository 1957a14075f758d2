import { eq } from "drizzle-orm";
import { accessOfMaker } from "../../../src/domain/credentials/access.ts";
import { requestApproval } from "../../../src/domain/spending/approvals.ts";
import { EMPTY_RUN, writeRun } from "../../../src/domain/watches/runs.ts";
import { saveWatch } from "../../../src/domain/watches/save-watch.ts";
import { DAY, HOUR } from "../../../src/platform/clock.ts";
import { ownerPrincipal } from "../database/people.ts";
import type { TestService } from "../service/service.ts";
import { connected, projectOf } from "./account-fixtures.ts";

const urls = Array.from({ length: 8 }, (_, index) => `https://example.com/${index}`);

/** An app that asks for a call of 8 credits. @returns the id of the approval */
export async function askedApproval(service: TestService, accountId: string, name = "Robin"): Promise<string> {
  const { grantId: credential } = await connected(service, accountId, { name, scopes: ["read", "index"] });
  const { holder } = (await accessOfMaker(service.db, accountId, credential))!.credential;
  const about = { name: "News", description: "", sitemap: null, count: 8, otherHosts: 0, urls };
  const call = { accountId, credential, credentialName: name, operation: "submit_urls", inputHash: "a", digest: "b" };
  const text = JSON.stringify({ ...about, hosts: [{ host: "example.com", urls: 8 }] });
  const asked = { ...call, holder, credits: 8, about: text, now: service.clock.now() };
  return (await service.db.tx((tx) => requestApproval(tx, asked)))!.id;
}

/** A watch whose run is held. @returns its id */
export async function heldWatch({ db, clock }: TestService, accountId: string, url: string): Promise<string> {
  const principal = await ownerPrincipal(db, accountId);
  const [service, now] = [clock.service(), clock.now()];
  return db.tx(async (tx) => {
    const change = { changedPages: "submit", creditsPerMonth: 500 } as const;
    const watch = await saveWatch(tx, { principal, watchId: undefined, url, change, service, now });
    const { watches } = tx.t;
    const set = {
      status: "held",
      reason: "many_changed",
      heldDigest: "held",
      firstRun: "done",
      pages: 9,
      nextRunAt: service + DAY,
    };
    await tx.q.update(watches).set(set).where(eq(watches.id, watch.id)).returning();
    const run = { ...EMPTY_RUN, at: service, result: "held", reason: "many_changed", changedPages: 7 } as const;
    await writeRun(tx, { ...watch, runs: 0 }, run);
    return watch.id;
  });
}

/** A connection that gives no access since yesterday. */
export async function failingConnection({ db, clock }: TestService, accountId: string): Promise<void> {
  const now = clock.now();
  const { personId } = await ownerPrincipal(db, accountId);
  const row = {
    ...{
      id: `con_${accountId}`,
      accountId,
      personId: personId!,
      kind: "search_console",
      subject: "1",
      name: "ann@example.com",
      scopes: "",
    },
    ...{ sealedSecret: "none", properties: "[]", createdAt: now, nextLookAt: now, endedAt: null, checkedAt: now },
    ...{ failingSince: now - DAY, failure: "access_revoked" },
  };
  await db.tx((tx) => tx.q.insert(tx.t.connections).values(row).returning());
}

/** A webhook that has failed for two hours. @returns its id */
export async function failingWebhook({ db, clock }: TestService, accountId: string): Promise<string> {
  const now = clock.now();
  const maker = (await ownerPrincipal(db, accountId)).personId!;
  const row = {
    ...{ id: `wh_${accountId}`, accountId, maker, url: "https://hooks.example.com/a", types: null, description: "" },
    ...{ status: "active", sealedSecret: "none", createdAt: now, failingSince: now - 2 * HOUR, lastFailureAt: now },
  };
  await db.tx((tx) => tx.q.insert(tx.t.webhooks).values(row).returning());
  return row.id;
}

/** A project that is completed now. @returns its id */
export async function completedProject(service: TestService, accountId: string, name: string): Promise<string> {
  const { db, clock } = service;
  const id = await projectOf(service, accountId, urls, { name });
  const { projects } = db.t;
  const set = {
    status: "completed",
    completedAt: clock.service(),
    indexed: 6,
    notIndexed: 2,
    waiting: 0,
    creditsReturned: 2,
  };
  await db.tx((tx) => tx.q.update(projects).set(set).where(eq(projects.id, id)).returning());
  return id;
}
