import type { Page } from "../../shell/layout.tsx";
import { redirectLabel } from "../domain.ts";

/**
 * Takes the user back to the app with the answer to its request. It is a page rather than a redirect, since browsers apply
 * the form-action of the consent page to every redirect that follows its form, the app's included.
 * @param address the redirect URI of the app, with the answer
 */
export function leavePage(address: string): Page {
  return {
    title: "Back to the app - Beckon",
    leadsTo: address,
    showsSecret: true,
    body: (
      <>
        <h1>Back to the app</h1>
        <p>
          Your browser goes on to <strong>{redirectLabel(address)}</strong>. If nothing happens,{" "}
          <a href={address} rel="noreferrer">
            continue to the app
          </a>
          . Once the app is open, you can close this page.
        </p>
      </>
    ),
  };
}
