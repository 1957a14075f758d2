/** How often a page that is looked at asks whether it has changed, in ms; after a failure it waits longer. */
const INTERVAL = 4_000;
const LONGEST = 30_000;

const NO_CONNECTION = "No connection: this page is not up to date. It continues by itself once the connection is back.";

/**
 * Keeps a page up to date while it is visible, and says so while it cannot. The page names its fingerprint in `data-live`, and the
 * parts to exchange by `data-live-part`. Asking again survives restarts and lost connections; a stream would need code for
 * both.
 */
export function keepCurrent(): void {
  const root = document.querySelector<HTMLElement>("[data-live]");
  if (!root) return;
  const status = statusIn(root);
  let wait = INTERVAL;
  let timer = 0;
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    clearTimeout(timer);
    if (document.visibilityState === "visible") {
      isAsking = true;
      const result = await refresh(root);
      isAsking = false;
      if (result === "ended") return;
      wait = result === "ok" ? INTERVAL : Math.min(2 * wait, LONGEST);
      status.hidden = result === "ok";
    }
    timer = window.setTimeout(ask, wait);
  };
  timer = window.setTimeout(ask, wait);
  addEventListener("online", () => void ask());
  addEventListener("offline", () => {
    status.hidden = false;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void ask();
  });
}

/** The line that tells of a lost connection. */
function statusIn(root: HTMLElement): HTMLElement {
  const status = document.createElement("p");
  status.className = "notice bad";
  status.setAttribute("role", "status");
  status.hidden = true;
  status.textContent = NO_CONNECTION;
  root.prepend(status);
  return status;
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
  const fingerprint = fresh.querySelector<HTMLElement>("[data-live]")?.dataset.live;
  if (fingerprint === undefined) return;
  root.dataset.live = fingerprint;
  for (const part of root.querySelectorAll("[data-live-part]")) {
    const other = fresh.getElementById(part.id);
    // What somebody is reading or typing in stays as it is until the next change.
    if (other && !part.contains(document.activeElement) && !part.querySelector("details[open]"))
      part.replaceChildren(...other.childNodes);
  }
}
