/** The list that somebody wants to submit: kept in this browser, through sign-up and payment, until it is submitted. */

const KEPT = "beckon.draft";
/** What this tab has sent. */
const SENT = "beckon.sent";

export interface KeptDraft {
  readonly urls: string;
  /** Everything else in the form; absent where only a list was pasted. */
  readonly fields?: Fields;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Of the form of a new project, what belongs to the page it was opened as. */
const OF_PAGE: readonly string[] = ["token", "key", "agreed", "seen", "kept"];

/** What was chosen in the form of a new project, besides its list. */
export function fieldsOf(form: HTMLFormElement): Fields {
  const left = ["urls", "file", ...OF_PAGE];
  return [...new FormData(form)].flatMap(([name, value]) =>
    left.includes(name) ? [] : [[name, String(value)] as const],
  );
}

/** Chooses it again. */
export function fillIn(form: HTMLFormElement, fields: Fields): void {
  for (const field of form.elements) {
    const isLine = field instanceof HTMLInputElement && field.type !== "file";
    if (!isLine || OF_PAGE.includes(field.name)) continue;
    const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
    else field.value = values[0] ?? "";
  }
}

export function keptDraft(): KeptDraft | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as KeptDraft | null;
  } catch {
    return null;
  }
}

/** @returns false where the browser keeps nothing, or not so much */
export function keepDraft(draft: KeptDraft): boolean {
  try {
    localStorage.setItem(KEPT, JSON.stringify(draft));
    return true;
  } catch {
    forgetDraft();
    return false;
  }
}

export function forgetDraft(): void {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** The draft is being submitted; it is forgotten when the page of its project opens, unless another tab keeps another one. */
export function markSent(draft: KeptDraft): void {
  try {
    sessionStorage.setItem(SENT, fingerprintOf(draft));
  } catch {
    // Then it is kept, and known as submitted before.
  }
}

/** A short text that differs between lists, and between sitemaps. FNV-1a, 32 bits (draft-eastlake-fnv). */
function fingerprintOf({ urls, fields = [] }: KeptDraft): string {
  const text = `${urls} ${fields.find(([name]) => name === "sitemap_url")?.[1] ?? ""}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length} ${hash}`;
}

/** Forgets the draft once it was submitted, or when its owner signs out. */
export function forgetWhenDone(): void {
  const isProject = /^\/dashboard\/projects\/prj_/.test(location.pathname);
  if (isProject && /\/projects\/new(?:\?|$)/.test(document.referrer)) {
    const draft = keptDraft();
    if (draft && fingerprintOf(draft) === sessionStorage.getItem(SENT)) forgetDraft();
  }
  document.addEventListener("submit", ({ target }) => {
    const form = target as HTMLFormElement;
    const isLeaving = form.getAttribute("action") === "/sign-out" && !new FormData(form).get("return_to");
    if (isLeaving) forgetDraft();
  });
}
