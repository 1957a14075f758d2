import type { Page } from "./layout.tsx";
import { localPath } from "./local-path.ts";

/** The answer to a form without the CSRF token of this browser. It leads back to the page that the form was on. */
export function csrfErrorPage(post: { field(name: string): string }): Page {
  const returnTo = post.field("return_to");
  const request = post.field("request");
  const attempt = post.field("attempt");
  const path = request ? `/oauth/authorize?${request}` : attempt ? `/claim?${new URLSearchParams({ attempt })}` : "";
  const returnPath = localPath(path || returnTo);
  return {
    title: "This form has expired - Beckon",
    body: (
      <>
        <h1>This form has expired</h1>
        <p>
          Nothing was changed. The form was open for too long, or you signed in or out in another tab in the meantime.
          Forms also need cookies: without them we cannot tell that a form is yours.
        </p>
        <p>
          <a href={returnPath}>Open the page again</a>
        </p>
      </>
    ),
  };
}
