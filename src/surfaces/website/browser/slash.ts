/** Lets the key `/` lead to a search field, from wherever nobody is typing. Without this script, people click on the field. */
export function leadBySlash(field: HTMLInputElement): void {
  field.setAttribute("aria-keyshortcuts", "/");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Leads to the search of the dashboard, and says so in its field. */
export function improveSearch(): void {
  const field = document.querySelector<HTMLInputElement>("[data-slash]");
  if (!field) return;
  leadBySlash(field);
  if (matchMedia("(hover: hover)").matches) field.placeholder += " ( / )";
}
