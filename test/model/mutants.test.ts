import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mutant, type MutatedModel, mutatedModel } from "./mutated-model.ts";

const MUTANTS: readonly Mutant[] = [
  {
    by: "work",
    name: "off-by-one cost",
    file: "src/domain/projects/create.ts",
    from: "credits: costOf(kind, urls.length),",
    to: "credits: costOf(kind, urls.length) - (urls.length > 30 ? 1 : 0),",
  },
  {
    by: "work",
    name: "double return",
    file: "src/domain/projects/settle.ts",
    from: "  if (returned > 0) for (const entry of returnsOf(project, moves, cause)) await returnCredits(tx, project, entry);",
    to: "  for (const n of [1, 2]) for (const entry of returnsOf(project, moves, cause)) await returnCredits(tx, project, { ...entry, source: `${entry.source}:${n}` });",
  },
  {
    by: "work",
    name: "the lookups before sending are free",
    file: "src/domain/projects/settle.ts",
    from: "    credits: price * alreadyIndexed - kept,",
    to: "    credits: price * alreadyIndexed,",
  },
  {
    by: "work",
    name: "a page that Google has comes back at once, and again at the end",
    file: "src/domain/projects/settle.ts",
    from: '  return patch?.error === "already_indexed";',
    to: "  return patch?.error === 'none of ours';",
  },
  {
    by: "work",
    name: "missing ledger row",
    file: "src/domain/ledger/ledger.ts",
    from: "  await entry(tx).execute(row);",
    to: '  if (kind !== "return") await entry(tx).execute(row);',
  },
  {
    by: "work",
    name: "a total is checked first, and what the call costs added then",
    file: "src/domain/spending/budgets.ts",
    from: "        within(spent, budgets.total),",
    to: "        within(sql`${budgets.spent}`, budgets.total),",
  },
  {
    by: "work",
    name: "what was spent before the limits are changed is forgotten",
    file: "src/domain/spending/budgets.ts",
    from: "  const set = { ...limits,",
    to: "  const set = { spent: 0, ...limits,",
  },
  {
    by: "work",
    name: "a day of spending ends only with its month",
    file: "src/domain/spending/calendar.ts",
    from: "  const day = Math.floor(now / DAY);",
    to: "  const day = Math.floor(now / DAY) + 1 - new Date(now).getUTCDate();",
  },
  {
    by: "work",
    name: "lost lease: a step is completed by whoever worked on it",
    file: "src/indexing/checker/lease.ts",
    from: "  if (removed.length === 0) throw new LeaseLost(step);",
    to: "",
  },
  {
    by: "work",
    name: "lost intent: a crashed call is made again",
    file: "src/indexing/checker/run-step.ts",
    from: '  if (step.intentAt !== null) return (await submitter.resume?.(batch)) ?? uncertain("unknown");',
    to: "",
  },
  {
    by: "work",
    name: "a partition that drops a link",
    file: "src/indexing/checker/complete.ts",
    from: "next.filter((group) => (group.lane ?? step.lane) === lane),",
    to: "next.filter((group) => (group.lane ?? step.lane) === lane).slice(0, 1),",
  },
  {
    by: "work",
    name: "a key forgotten before its day is over",
    seed: 3,
    file: "src/domain/calls/idempotency-keys.ts",
    from: "const RETENTION = DAY;",
    to: "const RETENTION = 5 * MINUTE;",
  },
  {
    by: "work",
    name: "an event left out: where a step completes a project, its last links are not told of",
    file: "src/domain/projects/settle.ts",
    from: "  const events = eventsOfMoves(project, moves, returned);",
    to: "  const events = completed ? [] : eventsOfMoves(project, moves, returned);",
  },
  {
    by: "work",
    name: "an event written twice: a completion",
    file: "src/domain/projects/settle.ts",
    from: "    events.push(completedEvent(completed.project, service), ...",
    to: "    for (const _ of [1, 2]) events.push(completedEvent(completed.project, service));\n    events.push(...",
  },
  {
    by: "work",
    name: "a number of an event that is taken, and the event is not written",
    file: "src/domain/events/record.ts",
    from: "  else await insert(tx, rows);",
    to: "  else await insert(tx, rows.slice(0, 1));",
  },
  {
    by: "approvals",
    name: "an approval used twice",
    file: "src/domain/spending/approvals.ts",
    from: '    .set({ status: "used", usedAt: now, projectId })',
    to: "    .set({ usedAt: now, projectId })",
  },
  {
    by: "approvals",
    name: "a yes that never ends",
    file: "src/domain/spending/approvals.ts",
    from: `    gt(approvals.expiresAt, now),
  );
  const [found]`,
    to: `  );
  const [found]`,
  },
  {
    by: "approvals",
    name: "a yes for whatever the credential calls",
    file: "src/domain/spending/approvals.ts",
    from: "    isOfCall(tx, call),\n    eq(approvals.digest, call.digest),",
    to: "    eq(approvals.accountId, call.accountId),",
  },
  {
    by: "payments",
    name: "the facilitator's word is taken for the chain's",
    file: "src/domain/payments/direct/settlement/submit.ts",
    from: "  await awaitTransfer(deps, lease, result);",
    to: `  const at = { hash: "0x1", block: 1, transfer: \`0x1/\${lease.key}\`, ...released(0) };
  if (result.outcome === "done") return void (await deps.db.tx((tx) => updateLeased(tx, lease, at)));
  await awaitTransfer(deps, lease, result);`,
  },
  {
    by: "payments",
    name: "a payment is written down after it was handed over",
    file: "src/domain/payments/direct/settlement/verify.ts",
    from: "    await db.tx((tx) => updateLeased(tx, lease, set));",
    to: "    await deps.facilitator.settle(payload, payload.accepted).catch(() => null);\n    await db.tx((tx) => updateLeased(tx, lease, set));",
  },
  {
    by: "payments",
    name: "an unknown outcome is answered 402",
    file: "src/domain/payments/direct/settlement/submit.ts",
    from: "  throw isRefused ? new NotAccepted(result.reason, payer) : pending();",
    to: '  throw new NotAccepted(isRefused ? result.reason : "transfer_failed", payer);',
  },
  {
    by: "payments",
    name: "an unknown outcome is forgotten",
    file: "src/domain/payments/direct/settlement/submit.ts",
    from: '  const set = isRefused ? { state: "refused" as const } : {};',
    to: '  const set = { state: isRefused ? ("refused" as const) : ("claimed" as const) };',
  },
  {
    by: "payments",
    name: "a refusal of the facilitator is believed for good",
    seed: 4,
    file: "src/domain/payments/direct/journal/journal.ts",
    from: 'export const PENDING_STATES = ["submitted", "refused"] as const',
    to: 'export const PENDING_STATES = ["submitted"] as const',
  },
  {
    by: "payments",
    name: "whoever shows a payment that was credited has bought with it",
    file: "src/domain/payments/direct/settlement/claim.ts",
    from: "  return row.accountId === accountId && row.pack === pack.id;",
    to: "  return accountId !== null && row.pack === pack.id;",
  },
  {
    by: "payments",
    name: "a payment that vanished from its chain keeps its credits",
    seed: 2,
    file: "src/domain/payments/direct/settlement/finality.ts",
    from: "{ arrived: false, refundedCents: 0, contested: false }",
    to: "{ arrived: true, refundedCents: 0, contested: false }",
  },
  {
    by: "payments",
    name: "what a node with late logs does not show was used for something else",
    seed: 3,
    file: "src/domain/payments/direct/settlement/check-chain.ts",
    from: '  if (isUsed) return { name: "spent" };',
    to: '  if (isUsed) return { name: "void" };',
  },
  {
    by: "payments",
    name: "late logs of final blocks take credits back",
    file: "src/domain/payments/direct/settlement/finality.ts",
    from: "  if (isUsed && !use) return;",
    to: "",
  },
  {
    by: "payments",
    name: "the checkpoint is whatever the chain says now",
    seed: 4,
    file: "src/domain/payments/direct/settlement/checkpoint.ts",
    from: "    if (known) return known;",
    to: "    if (known) return chain.final();",
  },
  {
    by: "payments",
    name: "a refusal is believed of a payment that was handed over before",
    file: "src/domain/payments/direct/settlement/settle.ts",
    from: 'const isFirst = known.state === "refused";',
    to: 'const isFirst = known.state !== "claimed";',
  },
  {
    by: "payments",
    name: "each event that says so gives the credits",
    file: "src/domain/payments/orders/settle.ts",
    from: `  if (order.paidAt === null && order.credits > 0) {
    await post(tx, { ...entry, kind: "purchase", credits: order.credits, source: order.id, description: purchase });`,
    to: `  if (money.arrived && order.credits > 0) {
    await post(tx, { ...entry, kind: "purchase", credits: order.credits, source, description: purchase });`,
  },
  {
    by: "payments",
    name: "a payment that is still awaited is credited",
    seed: 2,
    file: "src/domain/payments/cards/stripe/event.ts",
    from: 'const COMPLETED: Readonly<Record<string, SessionKind>> = { paid: "paid", unpaid: "waiting" };',
    to: 'const COMPLETED: Readonly<Record<string, SessionKind>> = { paid: "paid", unpaid: "paid" };',
  },
  {
    by: "payments",
    name: "refunds are added up, which are told all together",
    seed: 6,
    file: "src/domain/payments/cards/card-payment.ts",
    from: "updatePayment(tx, payment.id, { refundedCents, refundedAt })",
    to: "updatePayment(tx, payment.id, { refundedCents: payment.refundedCents + refundedCents, refundedAt })",
  },
  {
    by: "payments",
    name: "a refund that comes before its payment is forgotten",
    seed: 2,
    file: "src/domain/payments/cards/apply-event.ts",
    from: '  const noted = event.kind === "refunded" ?',
    to: '  const noted = order && event.kind === "refunded" ?',
  },
  {
    by: "payments",
    name: "a dispute that was won takes the credits all the same",
    seed: 2,
    file: "src/domain/payments/cards/card-payment.ts",
    from: "  if (!isLater) return;",
    to: "  if (known) return;",
  },
  {
    by: "payments",
    name: "a payment is told of again by each event that settles its order",
    file: "src/domain/payments/orders/settle.ts",
    from: '  if (before.paidAt === null) events.push({ type: "order.paid", data: facts });',
    to: '  if (order.paidAt !== null) events.push({ type: "order.paid", data: facts });',
  },
  {
    by: "payments",
    name: "an event is taken in two transactions",
    seed: 6,
    file: "src/domain/payments/cards/apply-event.ts",
    from: "  const outcome = await db.tx(async (tx) => {\n    if (!(await recordNew(tx, event, now))) return NO_CHANGE;",
    to: "  const isNew = await db.tx((tx) => recordNew(tx, event, now));\n  const outcome = await db.tx(async (tx) => {\n    if (!isNew) return NO_CHANGE;",
  },
];

let model: MutatedModel;
beforeAll(async () => {
  model = await mutatedModel(MUTANTS);
}, 180_000);
afterAll(() => model?.close());

test.each(MUTANTS)("mutant is caught by the play of $by: $name", { timeout: 180_000 }, async (mutant) => {
  const { code, output } = await model.play(mutant);
  expect(output).toContain("Property failed after");
  // A fault that cannot even run is no fault to find.
  expect(output).not.toMatch(/(Type|Reference|Syntax)Error/);
  expect(code).toBe(1);
});
