import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { PageRequest } from "../page-request.ts";

/** A link that leads nowhere (any more): the same page for one that never was. */
export function expiredLinkPage(): Page {
  return page(
    "This link is no longer good",
    html`<p>Ten minutes have passed, or your agent has asked for a newer link, or the address is not complete.</p>
<p>Ask your agent for a new link and code. Within 24 hours it need not register again for that.</p>`,
  );
}

/** Says nothing of the agent, nor whom it asked for. @param here path of this page, to come back to */
export function wrongAccountPage(request: Pick<PageRequest, "csrfToken">, email: string, here: string): Page {
  return {
    ...page(
      "This link is for another account",
      html`<p>You are signed in as <strong>${email}</strong>, and the agent was given another address.</p>
<p>If it is your agent: sign in with the address that you gave to the agent, or have the agent register again with this
one. If somebody sent you the link, close it.</p>
${form(request, "/sign-out", html`${hidden({ return_to: here })}${button("Sign in with another address")}`)}`,
    ),
    forms: [],
  };
}

/** @param here path of the claim, to come back to */
export function unverifiedPage(email: string, here: string): Page {
  return page(
    "Prove your address first",
    html`<p>Before an agent can be connected we have to know that <strong>${email}</strong> is yours.
<a href="/forgot?${new URLSearchParams({ return_to: here }).toString()}">Have a link mailed to you</a>: it proves the
address, and leads back here.</p>`,
  );
}

/** What became of a registration, by its status. */
export function decidedPage(status: string, agentName: string): Page {
  const name = html`“<bdi>${agentName}</bdi>”`;
  const disconnect = html`<a href="/dashboard/apps">disconnect it at any time</a>`;
  if (status === "claimed")
    return page(
      "The agent is connected",
      html`${notice(html`${name} hears of it by itself, within seconds.`, "good")}
<p>You can close this page. In your dashboard you can see what is connected and ${disconnect}.</p>`,
    );
  if (status === "denied")
    return page("You declined", html`<p>${name} was told so, and got nothing. You can close this page.</p>`);
  if (status === "locked")
    return page(
      "Too many wrong codes",
      html`${notice("This registration is locked for good, and nothing was allowed.", "bad")}
<p>If you started this yourself, have your agent register again; it gets a new link and a new code. If you did not, there
is nothing to do: the agent got nothing.</p>`,
    );
  return page(
    "The agent has withdrawn",
    html`<p>${name} asks for nothing any more. To connect it after all, have it register again.</p>`,
  );
}

function page(heading: string, text: Html): Page {
  return { title: `${heading} - Beckon`, body: html`<h1>${heading}</h1>\n${text}` };
}
