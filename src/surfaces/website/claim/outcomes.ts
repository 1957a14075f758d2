import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.tsx";
import type { PageRequest } from "../page-request.ts";

/** The same page for a link that has expired and one that never existed. */
export function expiredLinkPage(): Page {
  return page(
    "This link has expired",
    html`<p>A link works for ten minutes, or until your agent requests a newer one. The address may also be incomplete.</p>
<p>Ask your agent for a new link and code. For 24 hours it can request them without registering again.</p>`,
  );
}

/** Tells neither the name of the agent nor the address that it was given. @param path of this page, to return to */
export function wrongAccountPage(request: Pick<PageRequest, "csrfToken">, email: string, path: string): Page {
  return {
    ...page(
      "This link is for another account",
      html`<p>You are signed in as <strong>${email}</strong>, and the agent was given another address.</p>
<p>If it is your agent, sign in with the address that you gave to the agent, or have the agent register again with this
one. If somebody else sent you the link, close this page.</p>
${form(request, "/sign-out", html`${hidden({ return_to: path })}${button("Sign in with another address")}`)}`,
    ),
    forms: [],
  };
}

/** @param path of the claim, to return to */
export function unverifiedPage(email: string, path: string): Page {
  return page(
    "Confirm your e-mail address first",
    html`<p>Before you can connect an agent, you have to show that <strong>${email}</strong> is yours.
<a href="/forgot?${new URLSearchParams({ return_to: path }).toString()}">Request a link by e-mail</a>: it confirms the
address and leads back here.</p>`,
  );
}

/** The page of a registration that was decided or withdrawn, by its status. */
export function decidedPage(status: string, agentName: string): Page {
  const name = html`“<bdi>${agentName}</bdi>”`;
  const disconnect = html`<a href="/dashboard/apps">disconnect it at any time</a>`;
  if (status === "claimed")
    return page(
      "The agent is connected",
      html`${notice(html`${name} is notified automatically, within seconds.`, "good")}
<p>You can close this page. In your dashboard you can see what is connected and ${disconnect}.</p>`,
    );
  if (status === "denied")
    return page("You declined", html`<p>${name} was notified, and got no access. You can close this page.</p>`);
  if (status === "locked")
    return page(
      "Too many wrong codes",
      html`${notice("This registration is locked, and nothing was allowed.", "bad")}
<p>If you started this yourself, have your agent register again; it gets a new link and a new code. If you did not, there
is nothing to do: the agent got no access.</p>`,
    );
  return page("The agent withdrew its request", html`<p>To connect ${name} after all, have it register again.</p>`);
}

function page(heading: string, text: Html): Page {
  return { title: `${heading} - Beckon`, body: html`<h1>${heading}</h1>\n${text}` };
}
