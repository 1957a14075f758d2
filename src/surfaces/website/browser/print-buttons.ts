/** Puts a button that prints the page into each place for one. Without this script, browsers print by their menu. */
export function addPrintButtons(): void {
  for (const row of document.querySelectorAll<HTMLElement>("[data-print]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = row.dataset.print ?? "";
    button.addEventListener("click", () => window.print());
    row.append(button);
  }
}
