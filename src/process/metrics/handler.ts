import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { isLoopbackHost } from "../../platform/loopback.ts";
import { refuseForeignOrigin } from "../../surfaces/http-server/origin.ts";
import { sendResponse } from "../../surfaces/http-server/send-response.ts";
import type { OpsHandler } from "../health/handler.ts";
import type { Metrics } from "./metrics.ts";

/**
 * `/metrics`, for callers with METRICS_TOKEN. Without that setting it is served only on a loopback address without a
 * proxy in front, where nobody but this machine can reach it.
 */
export function metricsHandler(metrics: Metrics, config: Config): OpsHandler {
  return async (req, res) => {
    admit(req, config);
    const { text, contentType } = await metrics.text(req.headers.accept);
    sendResponse(req, res, {
      status: 200,
      headers: { "Content-Type": contentType, "Cache-Control": "no-store" },
      text,
    });
  };
}

/** @throws Refusal */
function admit(req: IncomingMessage, config: Config): void {
  const { metricsToken, host, trustProxy } = config;
  if (metricsToken === undefined) {
    if (!isLoopbackHost(host) || trustProxy > 0) throw new Refusal("not_found", "There is no such page.");
    refuseForeignOrigin(req, config);
    return;
  }
  const sent = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? "")?.[1] ?? "";
  if (timingSafeEqual(digest(sent), digest(metricsToken))) return;
  const challenge = { "WWW-Authenticate": 'Bearer realm="metrics"' };
  throw new Refusal("unauthorized", "Metrics need the bearer token of METRICS_TOKEN.", {}, challenge);
}

/** A digest has a fixed length, which timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
