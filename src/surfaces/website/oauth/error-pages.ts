import type { Unanswerable } from "../../../domain/auth/authorization.ts";
import { DOCUMENT_PROBLEMS, type DocumentProblem } from "../../../domain/auth/client-documents.ts";
import { placeOf } from "../../../domain/auth/redirects.ts";
import { type Html, html, prose } from "../html.ts";
import type { Page } from "../layout.ts";

const WORDS: Readonly<Record<Exclude<Unanswerable, DocumentProblem>, string>> = {
  client_missing: "The request has no `client_id`, or more than one.",
  client_unknown: "Its `client_id` is not registered here. `/oauth/register` registers an app.",
  redirect_missing: "The request has no `redirect_uri`, or more than one.",
  redirect_unknown:
    "Its `redirect_uri` is none of those that the app is registered with. `/oauth/register` registers an app.",
};

/** Shown to the person, since the app cannot be trusted with an answer. */
export function invalidRequestPage(why: Unanswerable): Page {
  if (!isProblem(why)) return refused(prose(WORDS[why]));
  return refused(html`The document at its <code>client_id</code> cannot be used. ${prose(DOCUMENT_PROBLEMS[why])}`);
}

function isProblem(why: Unanswerable): why is DocumentProblem {
  return why in DOCUMENT_PROBLEMS;
}

/**
 * Leads back to the app with a refusal, for somebody who has just signed in. Who came by a page of ours is led to
 * nobody's address without a click (RFC 9700 section 4.11.2): anybody can register an app, and its address.
 */
export function returnToAppPage(address: string): Page {
  return {
    title: "Back to the app - Beckon",
    body: html`
<h1>This app cannot be connected like this</h1>
<p>Its request has a mistake. Nothing was allowed. Go back to the app only if you came from there:
<a href="${address}" rel="noreferrer">tell <strong>${placeOf(address)}</strong> about it</a>.</p>`,
  };
}

export function requestTooLongPage(): Page {
  return refused(html`The request is too long.`);
}

function refused(words: Html): Page {
  return {
    title: "The app cannot be connected - Beckon",
    body: html`
<h1>This app cannot be connected</h1>
<p>Nothing was allowed, and nothing was sent to the app. Its request cannot be trusted as it is: go back to the app and
connect it again.</p>
<h2>For whoever makes the app</h2>
<p>${words}</p>`,
  };
}

/**
 * Somebody may have opened the account under an address of another.
 * @param here address of the request, to come back to
 */
export function unverifiedPage(email: string, here: string): Page {
  const link = `/forgot?${new URLSearchParams({ return_to: here })}`;
  return {
    title: "Prove your address first - Beckon",
    body: html`
<h1>Prove your address first</h1>
<p>Before an app can be connected we have to know that <strong>${email}</strong> is yours. <a href="${link}">Have a link
mailed to you</a>: it proves the address, and leads back here.</p>`,
  };
}
