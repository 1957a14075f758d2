import type { VNode } from "preact";
import { DAY, iso } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatBytes, formatCount } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import { sendStream } from "../../http-server/send-stream.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS, PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { retryLater } from "../shell/retry-later.ts";
import { askForExport, EXPORT_KEPT, type Export, exportFile, exportNow, exportProgress } from "./domain.ts";

/** `GET /dashboard/security/export`: how far the export is, and its file once it is ready. */
export async function exportPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showExport(services, request, {});
}

/** `POST /dashboard/security/export`: requests an export. While one is being made, every request leads to it. */
export async function exportPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!confirmIdentity(request, { formPage: ACCOUNT_PATHS.export })) return;
  try {
    await askForExport(request);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { status, headers, text } = retryLater(thrown);
    request.res.set(headers);
    return showExport(services, request, { problem: text, status });
  }
  request.redirect(ACCOUNT_PATHS.export);
}

/** `GET /dashboard/security/export/:id`: the file, for its owner, who has proved today who they are. */
export async function downloadExport(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const row = await exportNow(services, request);
  if (!row || row.id !== request.param("id") || exportProgress(row) !== "ready")
    throw new Refusal(
      "not_found",
      "There is no such export. Its file may have been deleted, or replaced by a newer one.",
    );
  if (!confirmIdentity(request, { formPage: ACCOUNT_PATHS.export, within: DAY })) return;
  const name = `beckon-export-${iso(row.requestedAt).slice(0, 10)}.zip`;
  const headers = {
    "Content-Type": "application/zip",
    "Content-Length": String(row.bytes),
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store, no-transform",
  };
  await sendStream(request.req, request.res, headers, exportFile(services, row));
}

async function showExport(
  services: WebsiteServices,
  request: SignedInRequest,
  { problem, status }: { problem?: string; status?: number },
): Promise<void> {
  const row = await exportNow(services, request);
  const version = row ? `${row.id}-${row.rowsDone}-${row.failures}-${row.completedAt ?? 0}` : "none";
  if (status === undefined && request.isUnchanged(version)) return;
  const message = problem && <Notice variant="bad">{problem}</Notice>;
  const body = <ExportView request={request} row={row} version={version} />;
  request.show(dashboardPage({ section: "export", title: "Export everything", message, body }), status);
}

interface ExportViewProps {
  readonly request: SignedInRequest;
  readonly row: Export | null;
  readonly version: string;
}

function ExportView({ request, row, version }: ExportViewProps): VNode {
  return (
    <>
      <p>
        <a href={PATHS.security}>Security</a>
      </p>
      <p>
        A ZIP archive with everything that your account holds, as JSON and as CSV: projects, URLs with every check,
        orders, the credit history, keys, connected apps, sessions and the security log. Passwords, keys and other
        secrets are not in it.
      </p>
      <div data-live={version}>
        <div id="export" data-live-part>
          <State request={request} row={row} />
        </div>
      </div>
    </>
  );
}

function State({ request, row }: Omit<ExportViewProps, "version">): VNode {
  if (!row)
    return (
      <>
        <p>
          It is made in the background, which takes from seconds to minutes. You get a mail when it is ready, and can
          then download it for {EXPORT_KEPT / DAY} days.
        </p>
        <RequestForm request={request} label="Export everything" />
      </>
    );
  const state = exportProgress(row);
  if (state === "making")
    return <Notice>{progressText(row)} This page shows when it is ready; we mail you, too.</Notice>;
  if (state === "failed")
    return (
      <>
        <Notice variant="bad">The export failed several times. Request it again, or write to us.</Notice>
        <RequestForm request={request} label="Export everything" />
      </>
    );
  return (
    <>
      <Notice variant="good">
        The export is ready: <a href={`${ACCOUNT_PATHS.export}/${row.id}`}>download it</a> ({formatBytes(row.bytes!)}).
      </Notice>
      <p>
        Requested <Time at={row.requestedAt} />. The file is deleted <Time at={row.expiresAt!} />, or when you request
        another one.
      </p>
      <RequestForm request={request} label="Make a new one" isQuiet />
    </>
  );
}

/** @param isQuiet where an export is ready: then its download is the main button */
function RequestForm(props: { request: SignedInRequest; label: string; isQuiet?: boolean }): VNode {
  const { request, label, isQuiet = false } = props;
  return (
    <Form request={request} action={ACCOUNT_PATHS.export}>
      <Button variant={isQuiet ? "quiet" : undefined}>{label}</Button>{" "}
      <span class="soft">At most {LIMITS.exports.count} in 24 hours.</span>
    </Form>
  );
}

function progressText({ lease, rowsDone, rowsTotal }: Export): string {
  if (lease === null) return "The export will begin in a few seconds.";
  if (rowsTotal === 0) return "The export is being made.";
  const percent = Math.min(99, Math.floor((100 * rowsDone) / rowsTotal));
  return `The export is being made: about ${percent} %, ${formatCount(rowsDone, "row")} written.`;
}
