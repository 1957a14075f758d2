import type { ComponentChildren, VNode } from "preact";
import { Prose } from "../../components/prose.tsx";
import type { Page } from "../../shell/layout.tsx";
import { DOCUMENT_PROBLEMS, type DocumentProblem, redirectLabel, type UnredirectableError } from "../domain.ts";

const SENTENCES: Readonly<Record<Exclude<UnredirectableError, DocumentProblem>, string>> = {
  client_missing: "The request has no `client_id`, or more than one.",
  client_unknown: "Its `client_id` is not registered here. `/oauth/register` registers an app.",
  redirect_missing: "The request has no `redirect_uri`, or more than one.",
  redirect_unknown: "Its `redirect_uri` is not registered for this app. `/oauth/register` registers an app.",
};

const TITLE = "The app cannot be connected - Beckon";

/** Shown to the user: a request without a registered redirect URI must not be answered with a redirect. */
export function invalidRequestPage(why: UnredirectableError): Page {
  const detail = isProblem(why)
    ? `The document at its \`client_id\` cannot be used. ${DOCUMENT_PROBLEMS[why]}`
    : SENTENCES[why];
  return { title: TITLE, body: <InvalidRequest detail={<Prose text={detail} />} /> };
}

function isProblem(why: UnredirectableError): why is DocumentProblem {
  return why in DOCUMENT_PROBLEMS;
}

export function requestTooLongPage(): Page {
  return { title: TITLE, body: <InvalidRequest detail="The request is too long." /> };
}

function InvalidRequest({ detail }: { detail: ComponentChildren }): VNode {
  return (
    <>
      <h1>This app cannot be connected</h1>
      <p>
        Its request is not valid. Nothing was allowed, and nothing was sent to the app. Go back to the app and connect
        it again.
      </p>
      <h2>For the developer of the app</h2>
      <p>{detail}</p>
    </>
  );
}

/**
 * Links back to the app, with an error for it. Anybody can register an app with any address, so nobody is taken
 * there before they have seen which app it is, and clicked (RFC 9700 section 4.11.2).
 */
export function returnToAppPage(address: string): Page {
  return {
    title: TITLE,
    body: (
      <>
        <h1>This app cannot be connected</h1>
        <p>
          Its request contains an error. Nothing was allowed. Go back only if you came from there:{" "}
          <a href={address} rel="noreferrer">
            return to <strong>{redirectLabel(address)}</strong>
          </a>
          , which then receives the error.
        </p>
      </>
    ),
  };
}

/**
 * Somebody may have signed up with an address that is not theirs.
 * @param path of the request, to return to
 */
export function unverifiedPage(email: string, path: string): Page {
  const link = `/forgot?${new URLSearchParams({ return_to: path })}`;
  return {
    title: "Confirm your e-mail address - Beckon",
    body: (
      <>
        <h1>Confirm your e-mail address first</h1>
        <p>
          Before you can connect an app, you have to show that <strong>{email}</strong> is yours.{" "}
          <a href={link}>Request a link by e-mail</a>: it confirms the address and leads back here.
        </p>
      </>
    ),
  };
}
