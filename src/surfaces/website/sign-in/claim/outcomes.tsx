import type { ComponentChildren, VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { PageRequest } from "../../shell/page-request.ts";

/** The same page for a link that has expired and one that never existed. */
export function expiredLinkPage(): Page {
  return page(
    "This link has expired",
    <>
      <p>A link works for ten minutes, or until your agent requests a newer one. The address may also be incomplete.</p>
      <p>Ask your agent for a new link and code. For 24 hours it can request them without registering again.</p>
    </>,
  );
}

/** Tells neither the name of the agent nor the address that it was given. @param path of this page, to return to */
export function wrongAccountPage(request: Pick<PageRequest, "csrfToken">, email: string, path: string): Page {
  return {
    ...page(
      "This link is for another account",
      <>
        <p>
          You are signed in as <strong>{email}</strong>, and the agent was given another address.
        </p>
        <p>
          If it is your agent, sign in with the address that you gave to the agent, or have the agent register again
          with this one. If somebody else sent you the link, close this page.
        </p>
        <Form request={request} action="/sign-out" hidden={{ return_to: path }}>
          <Button>Sign in with another address</Button>
        </Form>
      </>,
    ),
    forms: [],
  };
}

/** @param path of the claim, to return to */
export function unverifiedPage(email: string, path: string): Page {
  return page(
    "Confirm your e-mail address first",
    <p>
      Before you can connect an agent, you have to show that <strong>{email}</strong> is yours.{" "}
      <a href={`/forgot?${new URLSearchParams({ return_to: path })}`}>Request a link by e-mail</a>: it confirms the
      address and leads back here.
    </p>,
  );
}

/** The page of a registration that was decided or withdrawn, by its status. */
export function decidedPage(status: string, agentName: string): Page {
  if (status === "claimed") return page("The agent is connected", <Connected agentName={agentName} />);
  if (status === "denied")
    return page(
      "You declined",
      <p>
        <AgentName name={agentName} /> was notified, and got no access. You can close this page.
      </p>,
    );
  if (status === "locked") return page("Too many wrong codes", <Locked />);
  return page(
    "The agent withdrew its request",
    <p>
      To connect <AgentName name={agentName} /> after all, have it register again.
    </p>,
  );
}

function Connected({ agentName }: { agentName: string }): VNode {
  return (
    <>
      <Notice variant="good">
        <AgentName name={agentName} /> is notified automatically, within seconds.
      </Notice>
      <p>
        You can close this page. In your dashboard you can see what is connected and{" "}
        <a href="/dashboard/apps">disconnect it at any time</a>.
      </p>
    </>
  );
}

function Locked(): VNode {
  return (
    <>
      <Notice variant="bad">This registration is locked, and nothing was allowed.</Notice>
      <p>
        If you started this yourself, have your agent register again; it gets a new link and a new code. If you did not,
        there is nothing to do: the agent got no access.
      </p>
    </>
  );
}

function AgentName({ name }: { name: string }): VNode {
  return (
    <>
      “<bdi>{name}</bdi>”
    </>
  );
}

function page(heading: string, text: ComponentChildren): Page {
  return {
    title: `${heading} - Beckon`,
    body: (
      <>
        <h1>{heading}</h1>
        {text}
      </>
    ),
  };
}
