import type { ServerResponse } from "node:http";

/** A signal that is aborted when the client goes away before it has the whole response, or when the service stops. */
export function closeSignal(res: ServerResponse, stopping?: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const gone = () => {
    if (!res.writableFinished) abort();
  };
  res.once("close", gone);
  if (stopping?.aborted) abort();
  stopping?.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    dispose() {
      res.off("close", gone);
      stopping?.removeEventListener("abort", abort);
    },
  };
}
