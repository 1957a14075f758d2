/** scripts/browser.mjs runs before anything is compiled, and says its types here. */
declare module "*/browser.mjs" {
  export function findBrowser(): string | null;
}
