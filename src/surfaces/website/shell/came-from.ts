import { PATHS } from "./addresses.ts";
import type { FormPost } from "./page-request.ts";

/** The hidden field of a form that is shown on the overview and belongs to a page of its own. */
export function fromOverview(): { readonly from: string } {
  return { from: "overview" };
}

/** Where a form leads back to: the overview if it was sent from there, else the page that it belongs to. */
export function cameFrom(post: FormPost, own: string): string {
  return post.field("from") === fromOverview().from ? PATHS.overview : own;
}
