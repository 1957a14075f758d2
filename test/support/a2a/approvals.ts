import { TaskResumer } from "../../../a2a/agent/task-resumer.ts";
import { type Executor, inlineExecutor } from "../../../src/contract/executor.ts";
import { keysOf } from "../../../src/domain/credentials/keys.ts";
import { type ApprovalRow, approvalsOf, decideApproval } from "../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../src/domain/spending/budgets.ts";
import { NO_LIMITS, type SpendingLimits } from "../../../src/domain/spending/limits.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import type { TestService } from "../service/service.ts";

type Service = Pick<TestService, "db" | "clock" | "config" | "payments">;

/** What the background work of a process does for tasks that wait for an approval, whenever a test says so. */
export function testResumer(service: Service, change: (executor: Executor) => Executor = (executor) => executor) {
  const { db, clock, config, payments } = service;
  const services = { db, clock, config, payments, http: createHttpClient(config) };
  const errors: object[] = [];
  const log = { error: (fields: object) => void errors.push(fields) };
  const resumer = new TaskResumer({ services, executor: change(inlineExecutor(services)), log });
  const { signal } = new AbortController();
  return {
    errors,
    resume: () => resumer.resumeDue(signal),
    close: () => services.http.close(),
  };
}

/** Limits what the key of an account may spend. */
export async function limitKey({ db }: Service, accountId: string, limits: Partial<SpendingLimits>): Promise<void> {
  const holder = (await keysOf(db, accountId))[0]!.id;
  await db.tx((tx) => setLimits(tx, { accountId, holder }, { ...NO_LIMITS, ...limits }));
}

/** Decides the newest approval of an account as its person. @returns it as it was before */
export async function decideNewest(
  { db, clock }: Service,
  accountId: string,
  isApproved = true,
): Promise<{ approval: ApprovalRow; outcome: string }> {
  const [approval] = await approvalsOf(db, accountId, 1);
  const decision = { id: approval!.id, isApproved, now: clock.now() };
  return { approval: approval!, outcome: await db.tx((tx) => decideApproval(tx, accountId, decision)) };
}
