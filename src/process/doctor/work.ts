import { and, gt, isNull, lte, or, sql } from "drizzle-orm";
import { audit } from "../../domain/audit/audit.ts";
import { liveEngines } from "../../indexing/engines/live/engines.ts";
import { gapsOf } from "../../indexing/engines/live/providers.ts";
import { providerOf } from "../../indexing/providers/quota.ts";
import { DAY, iso, MINUTE } from "../../platform/clock.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import { ownCommand, startCommand } from "../../platform/own-command.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** How late a step may be, in real time. The checker looks for missed steps every minute. */
const LATE_MS = 5 * MINUTE;

export async function checkSteps({ db, clock }: Instance): Promise<Check> {
  const { steps } = db.t;
  const count = sql<number>`count(*)`.mapWith(Number);
  const lateBy = clock.service() - LATE_MS * clock.anchor.scale;
  const isFree = or(isNull(steps.leaseUntil), lte(steps.leaseUntil, clock.now()));
  const [all] = await db.q.select({ count }).from(steps);
  const [late] = await db.q
    .select({ count })
    .from(steps)
    .where(and(lte(steps.dueAt, lateBy), isFree));
  return {
    name: "Work",
    ok: late!.count === 0,
    found:
      late!.count === 0
        ? `${all!.count} steps waiting, none late`
        : `${late!.count} of ${all!.count} steps are overdue`,
    remedy: `Start the service with \`${startCommand()}\`: it does overdue work first. If it is running, look at its log.`,
  };
}

export async function checkEngines({ db, clock, config }: Instance): Promise<Check> {
  const name = "Engines";
  if (config.mode === "sandbox") return { name, ok: true, found: "the sandbox's own" };
  const http = createHttpClient(config);
  try {
    // Throws if a setting cannot be used.
    liveEngines({ db, clock, config, http });
    const gaps = gapsOf(config);
    const remedy = "Set the key of a provider, or name one in ENGINES; docs/providers.md lists them.";
    return { name, ok: gaps.length === 0, found: gaps.join("; ") || `real ones: ${config.engines.join(", ")}`, remedy };
  } finally {
    await http.close();
  }
}

/** For how long a failure is reported if the provider was not called again, in real ms. */
const REPORTED_FOR = DAY;

export async function checkProviders({ db, clock }: Instance): Promise<Check> {
  const { providers } = db.t;
  const isPaused = gt(providers.heldUntil, clock.service());
  const isRecent = or(isNull(providers.failedAt), gt(providers.failedAt, clock.now() - REPORTED_FOR));
  const rows = await db.q
    .select()
    .from(providers)
    .where(and(gt(providers.failures, 0), or(isPaused, isRecent)));
  // What a provider refuses of one site is for the site's owner to mend.
  const failing = rows.filter(({ name }) => name === providerOf(name));
  return {
    name: "Providers",
    ok: failing.length === 0,
    found: failing.length === 0 ? "none is failing" : failing.map((row) => trouble(row, clock.service())).join("; "),
    remedy: "Work of a failing provider is retried automatically. Check its status page, and your credentials there.",
  };
}

interface Trouble {
  readonly name: string;
  readonly failures: number;
  readonly reason: string | null;
  readonly okAt: number | null;
  readonly heldUntil: number | null;
}

function trouble({ name, failures, reason, okAt, heldUntil }: Trouble, service: number): string {
  const since = okAt === null ? "no success yet" : `last success ${iso(okAt)}`;
  const pause = heldUntil === null || heldUntil <= service ? "" : `, paused until ${iso(heldUntil)}`;
  return `${name}: ${failures} failures in a row (${reason ?? "no reason given"}, ${since}${pause})`;
}

export async function checkBooks({ db }: Instance): Promise<Check> {
  const { ok, accounts, projects, links, entries, problems } = await audit(db);
  const found = ok
    ? `${accounts} accounts, ${projects} projects, ${links} links and ${entries} ledger entries add up`
    : `${problems.length} problems, the first: ${problems[0]}`;
  const remedy = `Run \`${ownCommand("audit")}\` for all of them, and keep a copy of the database.`;
  return { name: "Books", ok, found, remedy };
}
