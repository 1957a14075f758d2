import { type Services, stream } from "../../../contract/call.ts";
import type { AnyOperation } from "../../../contract/operation.ts";
import { sendStream } from "../../http-server/send-stream.ts";
import type { SignedInRequest, WebsiteServices } from "./page-request.ts";

/** The forms in which a list is downloaded: the suffix of the address, and the media type of the API's representation. */
const DOWNLOAD_FORMS = { csv: "text/csv", json: "application/json" } as const;
export type DownloadForm = keyof typeof DOWNLOAD_FORMS;

interface Download {
  readonly operation: AnyOperation;
  readonly form: DownloadForm;
  readonly input: Readonly<Record<string, string>>;
  /** Of the file, without its suffix. */
  readonly name: string;
}

/** Sends what the API answers to the same input; the session stands for the credential. */
export async function download(services: WebsiteServices, request: SignedInRequest, wanted: Download): Promise<void> {
  const { operation, form, input, name } = wanted;
  const { principal, requestsToday } = await services.guard.admitSession(request.session);
  const mediaType = DOWNLOAD_FORMS[form];
  const call = { operation, input, audience: "program", principal, requestsToday } as const;
  const pieces = await stream(services satisfies Services, call, mediaType);
  await sendFile(request, { pieces, form, name });
}

interface File {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly form: DownloadForm;
  /** Without its suffix. */
  readonly name: string;
}

/** Sends a file to be saved. */
export async function sendFile({ req, res }: SignedInRequest, { pieces, form, name }: File): Promise<void> {
  const headers = {
    "Content-Type": `${DOWNLOAD_FORMS[form]}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="${name}.${form}"`,
    "Cache-Control": "no-store",
  };
  await sendStream(req, res, headers, pieces);
}
