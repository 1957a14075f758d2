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

/** So does scripts/node-headers.mjs. */
declare module "*/node-headers.mjs" {
  export function headersPrefix(program?: string): string;
  export function environmentWithHeaders(env: NodeJS.ProcessEnv, prefix: string): NodeJS.ProcessEnv;
  export function headersAdvice(env: NodeJS.ProcessEnv, prefix: string): string | null;
}
