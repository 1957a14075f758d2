import { activeKeys } from "../../../domain/credentials/keys.ts";
import { disabledReason } from "../../../domain/ledger/disabled.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { usageOf } from "../../../domain/limits/day.ts";
import { connectionsOf } from "../../../domain/oauth/connections.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { projectNames } from "../../../domain/projects/spending.ts";
import { creditsWaiting } from "../../../domain/projects/waiting.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * The figures of the overview. get_account answers most of them, but to a key, app or agent about itself, which a session is
 * not. It is the one file of this room that reads the domain.
 */
export async function figuresOf({ db }: WebsiteServices, { session: { accountId }, now }: SignedInRequest) {
  const [disabled, credits, waiting, usage, paid, keys, connections] = await Promise.all([
    disabledReason(db, accountId),
    balanceOf(db, accountId),
    creditsWaiting(db, accountId),
    usageOf(db, accountId, now),
    isPaid(db, accountId),
    activeKeys(db, accountId, now),
    connectionsOf(db, accountId, now),
  ]);
  const apps = connections.filter(({ kind }) => kind === "oauth").length;
  return { disabled, credits, waiting, usage, paid, keys, apps, agents: connections.length - apps };
}

/** The names of the projects of links, by id. */
export function namesOfProjects({ db }: WebsiteServices, links: readonly { readonly project_id: string }[]) {
  return projectNames(db, [...new Set(links.map(({ project_id }) => project_id))]);
}
