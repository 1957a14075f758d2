/** Types of scripts/setup/browser.mjs, which is plain JavaScript because it runs before anything is installed. */
declare module "*/browser.mjs" {
  export function findBrowser(): string | null;
  export function ensureBrowser(): string;
}

/** Types of scripts/setup/nginx.mjs. */
declare module "*/nginx.mjs" {
  export function ensureNginx(): string;
}

/** Types of scripts/build/server.mjs. */
declare module "*/build/server.mjs" {
  export const OUTSIDE: readonly string[];
}

/** Types of scripts/setup/node-releases.mjs. */
declare module "*/node-releases.mjs" {
  /** Major and minor version. */
  export const OLDEST: readonly [number, number];
}

/** Types of scripts/build/build.mjs. */
declare module "*/build.mjs" {
  export function isBuilt(): boolean;
  export function build(): Promise<void>;
}

/** Types of scripts/build/tarball.mjs. */
declare module "*/tarball.mjs" {
  export function tarballOf(folder: string): Buffer;
}

declare module "*/free-port.mjs" {
  export function freePort(): Promise<number>;
}

/** Types of scripts/setup/podman.mjs. */
declare module "*/podman.mjs" {
  export const CAN_HAVE_PODMAN: boolean;
  export function ensurePodman(): void;
}

/** Types of scripts/setup/say.mjs. */
declare module "*/say.mjs" {
  export function say(text: string): void;
  export function sayOnce(text: string): void;
}
