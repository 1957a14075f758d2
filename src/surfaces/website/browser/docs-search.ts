import MiniSearch from "minisearch";
import { type DocsIndex, type DocsResult, INDEX_OPTIONS, searchDocs } from "./docs-index.ts";
import { leadBySlash } from "./slash.ts";

/** How many results are shown while one types; the page of results has more. */
const MOST = 8;

/**
 * Shows results of the docs below the search field while one types. `/` leads to the field, arrows to the results, Escape
 * back. The index is fetched when the field is used first. Without this script the form leads to a page of results.
 */
export function improveDocsSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form.docs-search");
  const field = form?.querySelector("input");
  const panel = form?.querySelector<HTMLElement>(".docs-results");
  if (!form || !field || !panel) return;
  let index: Promise<DocsIndex> | undefined;
  const load = () => {
    index ??= fetchIndex(form.dataset.index!);
    // A failed request is made again by the next letter; the form works without it.
    index.catch(() => {
      index = undefined;
    });
    return index;
  };
  const update = async () => {
    const query = field.value.trim();
    const results = query === "" ? [] : searchDocs(await load(), query, MOST);
    if (query === field.value.trim()) show(panel, query, results);
  };
  const close = () => {
    panel.hidden = true;
  };

  field.addEventListener("focus", () => void load().catch(() => undefined));
  field.addEventListener("input", () => void update().catch(close));
  addEventListener("online", () => {
    if (document.activeElement === field) void update().catch(close);
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) close();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close();
      field.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (panel.hidden) void update().catch(close);
      else moveFocus(field, panel, event.key === "ArrowDown" ? 1 : -1);
    }
  });
  leadBySlash(field);
}

async function fetchIndex(path: string): Promise<DocsIndex> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), INDEX_OPTIONS);
}

function show(panel: HTMLElement, query: string, results: readonly DocsResult[]): void {
  panel.querySelector("ul")!.replaceChildren(...results.map(itemOf));
  const count = results.length === 1 ? "1 result" : `${results.length} results`;
  const status = panel.querySelector("p")!;
  status.textContent =
    results.length === 0 ? `Nothing is found for “${query}”.` : `${count}. The arrow keys lead to them.`;
  status.classList.toggle("visually-hidden", results.length > 0);
  panel.hidden = query === "";
}

function itemOf({ path, label, about }: DocsResult): HTMLElement {
  const link = document.createElement("a");
  link.href = path;
  const [title, description] = [document.createElement("strong"), document.createElement("span")];
  title.textContent = label;
  description.textContent = about;
  link.append(title, description);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

/** From the field through the results, and from the last of them back to the field. */
function moveFocus(field: HTMLElement, panel: HTMLElement, by: 1 | -1): void {
  const stops = [field, ...panel.querySelectorAll("a")];
  const now = stops.indexOf(document.activeElement as HTMLElement);
  stops[(now + by + stops.length) % stops.length]!.focus();
}
