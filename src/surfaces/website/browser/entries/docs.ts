/** The script of the docs. */
import { improveDocsSearch } from "../docs-search.ts";

improveDocsSearch();

const nav = document.getElementById("docs-nav");
showCurrentPage();
nav?.addEventListener("toggle", showCurrentPage);

/** Scrolls the navigation to the page that is open, which may be far down in it. */
function showCurrentPage(): void {
  const current = nav?.querySelector<HTMLElement>("[aria-current]");
  if (nav && current) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
}
