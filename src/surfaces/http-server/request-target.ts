import type { IncomingMessage } from "node:http";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { parseUrl } from "../../platform/text.ts";
import { valuesOf } from "./header-values.ts";
import { isOwnAddress } from "./origin.ts";

/**
 * Reads a request target in absolute form, `GET https://beckon.example/pricing`, as its path, if the address is ours. It
 * stands in place of the Host header then (RFC 9112 section 3.2.2). An address of another server stays as it is, and is
 * found nowhere.
 */
export function useOriginForm(req: IncomingMessage, config: Pick<Config, "host" | "siteUrl">): void {
  if (req.url?.startsWith("/")) return;
  const [origin, path] = /^(https?:\/\/[^/?#]*)(.*)$/i.exec(req.url ?? "")?.slice(1) ?? [];
  const url = origin === undefined ? null : parseUrl(origin);
  if (!url || !isOwnAddress(url.origin, config)) return;
  req.url = path!.startsWith("/") ? path! : `/${path}`;
  req.headers.host = url.host;
}

/** Refuses a request with several Host headers: programs on the way may have read another one (RFC 9112 section 3.2). @throws Refusal */
export function refuseSeveralHosts(req: IncomingMessage): void {
  if (valuesOf(req, "host").length <= 1) return;
  const issues = [{ path: "Host", message: "sent more than once" }];
  throw new Refusal("invalid_request", "The request has more than one Host header.", { issues });
}
