import { Refusal } from "../../../platform/errors/errors.ts";
import { Notice } from "../components/notice.tsx";
import { keepInBrowser } from "../shell/kept-list.ts";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { durationText } from "../shell/retry-later.ts";
import { showBuy } from "./buy.tsx";
import { orderToPay } from "./domain.ts";
import { checkoutPath } from "./payment.tsx";

/**
 * `POST /dashboard/buy`: redirects to the payment page of the pack. A second click continues the order of the first. With `kept`
 * the script of the form of a new project keeps a list, to which the payment leads back.
 */
export async function buyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const pack = request.field("pack");
  if (request.field("kept") === "yes") keepInBrowser(services, request);
  try {
    const { checkoutUrl } = await orderToPay(services, request, pack);
    request.redirect(checkoutPath(checkoutUrl!, services.config.siteUrl));
  } catch (thrown) {
    const refusal = shownRefusal(thrown);
    request.res.set(refusal.headers);
    const message = <Notice variant="bad">{messageOf(refusal)}</Notice>;
    await showBuy(services, request, { chosen: pack, message, status: refusal.status });
  }
}

const SHOWN: ReadonlySet<string> = new Set(["rate_limited", "unavailable", "purchases_disabled"]);

/** The refusal, if the page shows it. @throws anything else */
function shownRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal && SHOWN.has(thrown.code)) return thrown;
  throw thrown;
}

function messageOf({ code, headers, message }: Refusal): string {
  if (code !== "rate_limited") return message;
  const wait = durationText(Number(headers["Retry-After"]));
  return `You have created too many orders in this hour. Continue with an open one, or try again in ${wait}.`;
}
