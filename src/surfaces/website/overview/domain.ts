import { countInbox, type InboxCounts, sumOf } from "../../../domain/inbox/count.ts";
import { readInbox } from "../../../domain/inbox/read.ts";
import type { InboxKind } from "../../../domain/inbox/waiting.ts";
import { disabledReason } from "../../../domain/ledger/disabled.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { NOT_INDEXED_REASONS } from "../../../domain/projects/reasons.ts";
import { projectNames } from "../../../domain/projects/spending.ts";
import type { SpendingPurpose } from "../../../domain/spending/spend.ts";
import { shownOf } from "../projects/domain.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the overview shows and no operation answers: what waits for a person, which is nothing that programs are told. It is the
 * one file of this room that reads the domain.
 */

export type { InboxCounts, InboxKind };
export { sumOf };

/** What a call would do. */
export function purposeOf({ about }: { readonly about: string }): SpendingPurpose {
  return JSON.parse(about);
}

/** Whether the account is disabled or has paid, which decide what it is offered. */
export async function standingOf({ db }: WebsiteServices, { session: { accountId } }: SignedInRequest) {
  const [disabled, paid] = await Promise.all([disabledReason(db, accountId), isPaid(db, accountId)]);
  return { disabled, paid };
}

/** How many things of each kind a page shows. */
const LIMITS: Readonly<Record<InboxKind, number>> = {
  approvals: 20,
  runs: 10,
  connections: 5,
  webhooks: 5,
  results: 10,
};

/** What waits for whoever is signed in, and how much of each kind there is. */
export async function inboxOf(services: WebsiteServices, request: SignedInRequest) {
  const { db, clock } = services;
  const { session, now } = request;
  const times = { now, service: clock.service() };
  const [counts, first] = await Promise.all([
    countInbox(db, session, times),
    readInbox(db, session, { ...times, limits: LIMITS }),
  ]);
  const ids = first.results.map(({ id }) => id);
  const shown = await shownOf(services, request, ids);
  const results = first.results.map(({ found, ...result }) => ({
    ...result,
    inGoogle: found - (shown.get(result.id)?.gone ?? 0),
  }));
  return { counts, ...first, results };
}

export type Inbox = Awaited<ReturnType<typeof inboxOf>>;

/** Why pages are not in Google, as a sentence without its full stop. */
export function reasonWords(reason: string): string {
  const words: string = NOT_INDEXED_REASONS[reason as keyof typeof NOT_INDEXED_REASONS] ?? reason;
  return words.replace(/^./, (first) => first.toUpperCase());
}

/** The names of the projects of links, by id. */
export function namesOfProjects({ db }: WebsiteServices, links: readonly { readonly project_id: string }[]) {
  return projectNames(db, [...new Set(links.map(({ project_id }) => project_id))]);
}
