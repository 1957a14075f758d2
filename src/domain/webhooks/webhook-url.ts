import { Refusal } from "../../platform/errors/errors.ts";
import { FetchFailure, type HttpClient } from "../../platform/http-client/http-client.ts";
import { isLoopbackHost } from "../../platform/loopback.ts";
import { hasControl, parseUrl } from "../../platform/text.ts";

/**
 * The normal form of a URL to deliver to. It has to be https, but for this machine itself, which is refused further on
 * unless the service is a sandbox there.
 * @throws Refusal webhook_invalid
 */
export function webhookUrl(text: string): string {
  const url = hasControl(text) ? null : parseUrl(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw invalid("bad_url", "The URL has to be an absolute https URL, without user name and password.");
  const isLocal = isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ""));
  if (url.protocol === "http:" && !isLocal) throw invalid("not_https", "The URL has to begin with https://.");
  url.hash = "";
  return url.href;
}

/** Looks up the host of a webhook before it is saved; each attempt does so again. @throws Refusal webhook_invalid */
export async function refuseUnreachable(http: Pick<HttpClient, "checkPublic">, url: string): Promise<void> {
  try {
    await http.checkPublic(url);
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    if (thrown.problem === "bad_url") throw invalid("bad_url", "The URL cannot be called.");
    if (thrown.problem === "unresolved") throw invalid("unresolved", "The host of the URL has no address.");
    if (thrown.problem === "not_public") throw invalid("not_public", NOT_PUBLIC);
    // Its name server does not answer now; it may later.
  }
}

const NOT_PUBLIC = "The host of the URL is not on the public web, or its port is not one that is called.";

function invalid(reason: string, message: string): Refusal {
  return new Refusal("webhook_invalid", `${message} Nothing was changed.`, { reason });
}
