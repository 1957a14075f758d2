/** scripts/browser.mjs runs before anything is compiled, and says its types here. */
declare module "*/browser.mjs" {
  export function findBrowser(): string | null;
  export function ensureBrowser(): string;
}

/** So does scripts/nginx.mjs. */
declare module "*/nginx.mjs" {
  export function ensureNginx(): string;
}

/** So does scripts/prepare.mjs. */
declare module "*/prepare.mjs" {
  export function isBuilt(): boolean;
}
