import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { newMember, ownerOf } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { askedApproval } from "../../../../support/website/inbox.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200: lists of projects and approvals say whose each is, where the account has more than one member", async () => {
  const { user, accountId } = await signedIn(service);
  const { db, clock } = service;
  const project = await projectOf(service, accountId, ["https://example.com/a"], { name: "Theirs" });
  const approval = await askedApproval(service, accountId);
  const projects = async () => (await user.get("/dashboard/projects")).text;
  const approvals = async () => (await user.get("/dashboard/approvals")).text;
  expect(await projects()).not.toContain("Credits By Created");
  expect(await approvals()).not.toContain("Decided by");
  const email = `bob.of.${accountId}@example.com`;
  const now = clock.now();
  const personId = await db.tx((tx) => newMember(tx, { accountId, role: "manager", email, now }));
  const decidedBy = await ownerOf(db, accountId);
  await db.tx(async (tx) => {
    await tx.q.update(tx.t.projects).set({ personId }).where(eq(tx.t.projects.id, project)).returning();
    await tx.q.update(tx.t.approvals).set({ personId, decidedBy }).where(eq(tx.t.approvals.id, approval)).returning();
  });
  expect(await projects()).toMatch(new RegExp(`Credits By Created Theirs .* ${email} `));
  expect(await approvals()).toMatch(new RegExp(`For Decided by Asked .* ${email} you `));
});
