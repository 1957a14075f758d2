/** The script of pages with times. Browsers wait for it before they show the page, since it makes some times longer. */
import { showLocalTimes } from "../local-times.ts";

showLocalTimes(document);
// What a page exchanges while it is looked at.
new MutationObserver((changes) => {
  for (const { target } of changes) if (target instanceof Element) showLocalTimes(target);
}).observe(document.body, { childList: true, subtree: true });
