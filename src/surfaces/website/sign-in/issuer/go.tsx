import type { Page } from "../../shell/layout.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import type { Issuer, IssuerPurpose } from "../domain.ts";
import { visitorOf } from "../domain.ts";
import { showFailure, showProblem } from "./problems.tsx";

/** `POST /sign-in/oidc` */
export function goPost(services: WebsiteServices, issuer: Issuer, post: FormPost): Promise<void> {
  const purpose = post.session ? "confirm" : "sign_in";
  return leaveFor(services, issuer, post, { purpose, returnTo: localPath(post.field("return_to")) });
}

/** Sends the browser to the issuer, or says why it cannot. */
export async function leaveFor(
  services: WebsiteServices,
  issuer: Issuer,
  post: FormPost,
  { purpose, returnTo }: { purpose: IssuerPurpose; returnTo: string },
): Promise<void> {
  const { secret: browserSecret, now } = post;
  const request = { purpose, browserSecret, returnTo, visitor: visitorOf(post), now };
  try {
    const address = await services.users.issuer.goToIssuer(issuer, request);
    post.show(leavePage(issuer.name, address.href));
  } catch (thrown) {
    if (showFailure(services, post, { thrown, name: issuer.name, returnTo })) return;
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    showProblem(post, { title: "Try again later", text, status, returnTo });
  }
}

/**
 * It is a page rather than a redirect, since browsers apply the form-action of the page before to every redirect that follows its
 * form, the issuer's own included.
 */
function leavePage(name: string, address: string): Page {
  return {
    title: `On to ${name} - Beckon`,
    leadsTo: address,
    showsSecret: true,
    body: (
      <>
        <h1>On to {name}</h1>
        <p>
          Your browser goes on to {name}. If nothing happens,{" "}
          <a href={address} rel="noreferrer">
            continue to {name}
          </a>
          .
        </p>
      </>
    ),
  };
}

/** `POST /sign-out/oidc`: leads to where people sign out of the issuer. */
export async function signOutThere(services: WebsiteServices, issuer: Issuer, post: FormPost): Promise<void> {
  try {
    const address = await issuer.signOutUrl();
    if (address) post.show(leavePage(issuer.name, address.href));
    else {
      const text = `${issuer.name} has no page to sign out on. Sign out there by itself, or close the browser.`;
      showProblem(post, { title: "Sign out there yourself", text, status: 200, returnTo: "/" });
    }
  } catch (thrown) {
    if (!showFailure(services, post, { thrown, name: issuer.name, returnTo: "/" })) throw thrown;
  }
}
