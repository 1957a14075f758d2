import type { ServerResponse } from "node:http";

/** Follows a response until it is closed; what reads `signal` can be stopped by it. */
export interface CloseSignal {
  /** Aborted when the client goes away before it has the whole response, or when the service stops. Made when it is first read. */
  readonly signal: AbortSignal;
  dispose(): void;
}

export function closeSignal(res: ServerResponse, stopping?: AbortSignal): CloseSignal {
  let controller: AbortController | undefined;
  const abort = () => controller!.abort();
  const gone = () => {
    if (!res.writableFinished) abort();
  };
  return {
    get signal() {
      if (controller) return controller.signal;
      controller = new AbortController();
      if (res.destroyed && !res.writableFinished) abort();
      res.once("close", gone);
      if (stopping?.aborted) abort();
      stopping?.addEventListener("abort", abort, { once: true });
      return controller.signal;
    },
    dispose() {
      if (!controller) return;
      res.off("close", gone);
      stopping?.removeEventListener("abort", abort);
    },
  };
}
