import { PACE } from "../../indexing/preflight/host-throttle.ts";
import { SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { userAgentOf } from "../../platform/http-client/http-client.ts";
import type { Document } from "./document.ts";
import { pageOf } from "./page.ts";

/** The page that our User-Agent names, for people who find us in the logs of their server. */
export function botDocument(config: Config): Document {
  return pageOf("/bot", config, {
    userAgent: userAgentOf(config),
    pagesAtOnce: String(PACE.perHost),
    pagesPerSecond: String(SECOND / PACE.gapMs),
  });
}
