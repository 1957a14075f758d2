import { keepDraft, keptDraft } from "./draft.ts";

/** After so many ms without a key, what was typed is kept. */
const PAUSE = 300;
/** Of a longer text only the beginning is sent: a few of its URLs are read, and the browser keeps it all. */
const MOST_SENT = 64 * 1024;

/** The box in which strangers paste pages: keeps them in this browser, and sends no more of them than are read. */
export function improveTryBox(): void {
  const form = document.querySelector<HTMLFormElement>("form.try-box");
  if (!form) return;
  const list = form.querySelector("textarea")!;
  const hidden = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  let timer = 0;
  let isTyped = false;
  const keep = (): boolean => keepDraft({ urls: list.value });

  if (list.value === "") list.value = keptDraft()?.urls ?? "";
  list.addEventListener("input", () => {
    isTyped = true;
    clearTimeout(timer);
    timer = window.setTimeout(keep, PAUSE);
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    // What was chosen for a draft in the form of a new project stays as long as its list is not another one.
    const isKept = isTyped ? keep() : keptDraft()?.urls === list.value || keep();
    hidden("kept").value = isKept ? "yes" : "";
  });
  form.addEventListener("formdata", ({ formData }) => {
    const text = list.value;
    const isLong = text.length > MOST_SENT && hidden("kept").value === "yes";
    if (!isLong) return;
    formData.set("urls", text.slice(0, text.lastIndexOf("\n", MOST_SENT) + 1 || MOST_SENT));
    formData.set("more", "yes");
  });
}
