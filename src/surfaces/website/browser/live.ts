/** How often a page that is looked at asks whether it has changed, in ms; after a failure it waits longer. */
const INTERVAL = 4_000;
const LONGEST = 30_000;

/**
 * Keeps a page up to date while it is visible. The page names its version in `data-live`, and the parts to exchange by
 * `data-live-part`. Asking again survives restarts and lost connections, which a stream would have to be written for.
 */
export function keepCurrent(): void {
  const root = document.querySelector<HTMLElement>("[data-live]");
  if (!root) return;
  let wait = INTERVAL;
  const ask = async () => {
    if (document.visibilityState === "visible") {
      const result = await refresh(root);
      if (result === "ended") return;
      wait = result === "ok" ? INTERVAL : Math.min(2 * wait, LONGEST);
    }
    setTimeout(ask, wait);
  };
  setTimeout(ask, wait);
  addEventListener("online", () => void refresh(root));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void refresh(root);
  });
}

async function refresh(root: HTMLElement): Promise<"ok" | "failed" | "ended"> {
  try {
    const headers = { "If-None-Match": `W/"${root.dataset.live}"` };
    const response = await fetch(location.href, { headers, cache: "no-store", redirect: "manual" });
    // The session has ended: the next click leads to the sign-in page.
    if (response.type === "opaqueredirect") return "ended";
    if (response.status === 304) return "ok";
    if (!response.ok) return "failed";
    exchange(root, new DOMParser().parseFromString(await response.text(), "text/html"));
    return "ok";
  } catch {
    return "failed";
  }
}

function exchange(root: HTMLElement, fresh: Document): void {
  const version = fresh.querySelector<HTMLElement>("[data-live]")?.dataset.live;
  if (version === undefined) return;
  root.dataset.live = version;
  for (const part of root.querySelectorAll("[data-live-part]")) {
    const other = fresh.getElementById(part.id);
    // What somebody is reading or typing in stays as it is until the next change.
    if (other && !part.contains(document.activeElement) && !part.querySelector("details[open]"))
      part.replaceChildren(...other.childNodes);
  }
}
