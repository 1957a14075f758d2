import type { Reply } from "./fake.ts";

/** An error in Google's form; `details` as in google.rpc.ErrorInfo. */
export function googleError(code: number, status: string, message: string, details: readonly object[] = []): Reply {
  return { status: code, body: { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } } };
}
