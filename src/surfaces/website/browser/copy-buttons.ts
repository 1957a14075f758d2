/** Gives each block of code a button that copies it. Without this script, people select the text themselves. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => void copy(block, button));
    block.prepend(button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2_000);
}
