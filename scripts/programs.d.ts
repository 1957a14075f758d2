/** Types of scripts/browser.mjs, which is plain JavaScript because it runs before anything is compiled. */
declare module "*/browser.mjs" {
  export function findBrowser(): string | null;
  export function ensureBrowser(): string;
}

/** Types of scripts/nginx.mjs. */
declare module "*/nginx.mjs" {
  export function ensureNginx(): string;
}

/** Types of scripts/bundle.mjs. */
declare module "*/bundle.mjs" {
  export function bundle(): void;
}

/** Types of scripts/bundle-server.mjs. */
declare module "*/bundle-server.mjs" {
  export const OUTSIDE: readonly string[];
}

/** Types of scripts/client-package.mjs. */
declare module "*/client-package.mjs" {
  export function packClient(run: (program: string, args: readonly string[]) => void): void;
}

/** Types of scripts/prepare.mjs. */
declare module "*/prepare.mjs" {
  export function isBuilt(): boolean;
}

/** Types of scripts/node-headers.mjs. */
declare module "*/node-headers.mjs" {
  export function headersPrefix(program?: string): string;
  export function environmentWithHeaders(env: NodeJS.ProcessEnv, prefix: string): NodeJS.ProcessEnv;
  export function headersAdvice(env: NodeJS.ProcessEnv, prefix: string): string | null;
}

declare module "*/free-port.mjs" {
  export function freePort(): Promise<number>;
}

/** Types of scripts/podman.mjs. */
declare module "*/podman.mjs" {
  export const CAN_HAVE_PODMAN: boolean;
  export function ensurePodman(): void;
}
