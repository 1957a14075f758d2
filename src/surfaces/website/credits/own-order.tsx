import { PATHS } from "../shell/addresses.ts";
import { localPath } from "../shell/local-path.ts";
import type { PageRequest, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { withReturnTo } from "../shell/return-to.ts";
import { orderWithId, type ShownOrder } from "./domain.ts";

export interface OwnOrder extends ShownOrder {
  readonly signedIn: SignedInRequest;
}

/** The order that the address names, if it belongs to the account that is signed in. */
export async function ownOrder(services: WebsiteServices, request: PageRequest): Promise<OwnOrder | null> {
  const id = request.query("order");
  const { session } = request;
  if (!session) return null;
  const signedIn = { ...request, session };
  const own = await orderWithId(services, signedIn, id);
  return own && { ...own, signedIn };
}

/** Shown to everybody else: the same page whether the order exists or not. */
export function showWithoutOrder(request: PageRequest, title: string, text: string): void {
  request.res.set("X-Robots-Tag", "noindex");
  const body = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      {request.session ? (
        <p>
          <a href={PATHS.orders}>See your orders</a>
        </p>
      ) : (
        <p>
          <a href={withReturnTo("/sign-in", localPath(request.req.originalUrl))}>Sign in</a> to see the status of your
          order.
        </p>
      )}
    </>
  );
  request.show({ title: `${title} - Beckon`, body });
}
