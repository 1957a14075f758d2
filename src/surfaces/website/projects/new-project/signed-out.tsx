import { Notice } from "../../components/notice.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { SignUpHint } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import { withReturnTo } from "../../shell/return-to.ts";
import { DraftForm } from "./confirm.tsx";
import type { Draft } from "./draft.ts";

/** The answer to a form of somebody whose session has ended. It carries what was typed, so that nothing is lost. */
export function signedOutPage(request: { readonly csrfToken: string }, draft: Draft): Page {
  return {
    title: "You are signed out - Beckon",
    forms: [],
    body: (
      <>
        <h1>You are signed out</h1>
        <Notice>Nothing was submitted. What you typed is kept in this page, and nowhere else: leave it open.</Notice>
        <ol>
          <li>
            <a href={withReturnTo("/sign-in", PATHS.newProject)} target="_blank" rel="noopener">
              Sign in, in a new tab
            </a>
            <SignUpHint returnTo={PATHS.newProject} isNewTab>
              .
            </SignUpHint>
          </li>
          <li>Come back to this tab and continue.</li>
        </ol>
        <DraftForm request={request} draft={draft}>
          Continue
        </DraftForm>
      </>
    ),
  };
}
