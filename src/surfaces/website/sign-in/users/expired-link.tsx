import type { VNode } from "preact";
import type { PageRequest } from "../../shell/page-request.ts";

interface ExpiredLink {
  readonly isSignedIn: boolean;
  /** The form that mails another link. */
  readonly formPath: "/sign-up" | "/forgot" | "/dashboard/security/address";
}

/** The same page for a mailed link that was used, one that has expired, and one that never existed. */
export function showExpiredLink(request: PageRequest, formPath: ExpiredLink["formPath"]): void {
  const body = <ExpiredLinkView isSignedIn={request.session !== null} formPath={formPath} />;
  request.show({ title: "Link expired - Beckon", body }, 410);
}

function ExpiredLinkView({ isSignedIn, formPath }: ExpiredLink): VNode {
  return (
    <>
      <h1>This link has expired or was used already</h1>
      <p>It works once, and for 24 hours. It may also be incomplete: some mail programs cut long links.</p>
      {isSignedIn ? (
        <p>
          You are signed in. <a href="/dashboard">Go to your dashboard</a>.
        </p>
      ) : (
        <p>
          If you opened it before, <a href="/sign-in">sign in</a>. If not,{" "}
          <a href={formPath}>{formPath === "/sign-up" ? "sign up again" : "request a new link"}</a>.
        </p>
      )}
    </>
  );
}
