import { html } from "./html.ts";
import type { Page } from "./layout.ts";
import { localPath } from "./local-path.ts";

/** A form whose token is not this browser's: it was signed in or out meanwhile, or keeps no cookies. Nothing was done. */
export function csrfErrorPage(post: { field(name: string): string }): Page {
  const returnTo = post.field("return_to");
  const request = post.field("request");
  const attempt = post.field("attempt");
  const here = request ? `/oauth/authorize?${request}` : attempt ? `/claim?${new URLSearchParams({ attempt })}` : "";
  const onward = localPath(here || returnTo);
  return {
    title: "Open the page again - Beckon",
    body: html`
<h1>Open the page again</h1>
<p>Nothing was changed. The form was open for too long, or you have signed in or out meanwhile in another tab. It also
takes cookies: without them we cannot know that the form is yours.</p>
<p><a href="${onward}">Go on</a></p>`,
  };
}
