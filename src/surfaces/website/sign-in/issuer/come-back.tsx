import { localPath } from "../../shell/local-path.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import type { Issuer } from "../domain.ts";
import { visitorOf } from "../domain.ts";
import { setCookiesOf, startSession } from "../users/start-session.ts";
import { showFailure, showRefusal } from "./problems.tsx";

/** `GET /sign-in/oidc/callback`: the browser comes back from the issuer. */
export async function comeBack(services: WebsiteServices, issuer: Issuer, request: PageRequest): Promise<void> {
  const { secret: browserSecret, session, now } = request;
  const query = new URL(request.req.originalUrl, services.config.siteUrl).search;
  const answer = { query, state: request.query("state"), browserSecret, session, visitor: visitorOf(request), now };
  const { name } = issuer;
  try {
    const outcome = await services.users.issuer.returnFromIssuer(issuer, answer);
    const returnTo = localPath(outcome.returnTo);
    switch (outcome.outcome) {
      case "signed_in":
        return await startSession(services, request, outcome.secret, returnTo);
      case "confirmed":
        await setCookiesOf(services, request, outcome.secret);
        return request.redirect(returnTo);
      case "connected":
        return request.redirect(returnTo);
      case "unknown":
        // Another tab was quicker.
        if (session) return request.redirect(returnTo);
    }
    showRefusal(services, request, { outcome: outcome.outcome, name, returnTo });
  } catch (thrown) {
    if (!showFailure(services, request, { thrown, name, returnTo: localPath("") })) throw thrown;
  }
}
