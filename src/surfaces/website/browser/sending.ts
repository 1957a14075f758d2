/** Forms that are being sent, with the button that was pressed and what it said. */
const sent = new Map<HTMLFormElement, { readonly button: HTMLElement; readonly words: string } | null>();

/**
 * While a form is sent, it cannot be sent again, and the pressed button shows that it works: by its `data-sending`, or by an
 * ellipsis after its words. Without this script a form may be sent twice, which spends nothing twice.
 */
export function showSending(): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const { submitter: button } = event;
    const target = button?.getAttribute("formtarget") || form.target;
    if (event.defaultPrevented || form.method !== "post" || target === "_blank") return;
    if (sent.has(form)) return event.preventDefault();
    const words = button?.textContent ?? "";
    sent.set(form, button && { button, words });
    if (!button) return;
    // A disabled button would lose the focus, and Firefox would keep it disabled when the page is loaded again.
    button.ariaDisabled = "true";
    button.textContent = button.dataset.sending ?? `${words}…`;
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    // The page comes back by the Back button, as it was left.
    for (const pressed of sent.values()) {
      if (!pressed) continue;
      pressed.button.ariaDisabled = null;
      pressed.button.textContent = pressed.words;
    }
    sent.clear();
  });
}
