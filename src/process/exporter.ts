import { randomUUID } from "node:crypto";
import { type ExportDeps, makeExport } from "../contract/exports/make-export.ts";
import { EXPORT_KEPT } from "../domain/exports/exports.ts";
import { claimExport, ExportLost, type HeldExport, releaseExport } from "../domain/exports/lease.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { exportReady } from "../domain/mail/templates/export-ready.ts";
import { iso, SECOND } from "../platform/clock.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import type { Log } from "../surfaces/http-server/log.ts";

/** How often a process looks for exports to make, in ms. */
const POLL_MS = 3 * SECOND;

/**
 * Makes the exports that users request, one at a time in each process. Another process begins an export again if its
 * process ends.
 * @returns stop, which gives back the export under way and waits until that is written
 */
export function startExporter(deps: ExportDeps & { readonly mailer: Mailer }, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const poll = () => {
    running ??= makeAll(deps, log, stopping.signal).finally(() => {
      running = null;
    });
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort(new ExportLost());
    await running;
  };
}

async function makeAll(deps: ExportDeps & { readonly mailer: Mailer }, log: Log, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const held = await claimExport(deps.db, randomUUID(), deps.clock.now());
      if (!held) return;
      await makeOne(deps, held, log, signal);
    }
  } catch (err) {
    // Other jobs log a database that does not answer.
    if (!isUnavailable(err)) log.error({ err }, "exports could not be made; retrying in a few seconds");
  }
}

async function makeOne(
  deps: ExportDeps & { readonly mailer: Mailer },
  held: HeldExport,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, config, mailer } = deps;
  try {
    const link = `${config.siteUrl}/dashboard/security/export`;
    await makeExport(deps, held, signal, (tx, owner) => {
      const until = `${iso(clock.now() + EXPORT_KEPT)
        .slice(0, 16)
        .replace("T", " ")} UTC`;
      return mailer.queue(tx, exportReady(owner, { link, until }));
    });
  } catch (thrown) {
    const hasFailed = !(thrown instanceof ExportLost);
    if (hasFailed) log.error({ err: thrown, export: held.id }, "an export failed; retrying in a minute");
    await releaseExport(db, held, { hasFailed, now: clock.now() });
  }
}
