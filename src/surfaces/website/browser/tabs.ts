/** Where the browser keeps the id of the tab that was chosen last. */
const STORED = "docs-tab";

/** Opens the tab that the address names, or else the one that was chosen on another page. */
export function rememberTabs(): void {
  const tabs = document.querySelector<HTMLElement>("[data-tabs]");
  if (!tabs) return;
  const select = (id: string | null) => {
    const radios = [...tabs.querySelectorAll<HTMLInputElement>(":scope > input")];
    const radio = radios.find(({ value }) => value === id);
    if (radio) radio.checked = true;
    return radio !== undefined;
  };
  const openNamed = () => {
    const id = location.hash.slice(1);
    const isNamed = select(id);
    if (isNamed) tabs.scrollIntoView();
    return isNamed;
  };
  if (!openNamed()) select(stored());
  addEventListener("hashchange", openNamed);
  tabs.addEventListener("change", ({ target }) => store((target as HTMLInputElement).value));
}

/** A browser may forbid storage. */
function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function store(id: string): void {
  try {
    localStorage.setItem(STORED, id);
  } catch {
    // The tab is open; it is only not remembered.
  }
}
