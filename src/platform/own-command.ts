import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { packageName } from "./version.ts";

/** The package that `npm run pack` makes, and the command that it installs. */
export const SERVER_PACKAGE = "beckon-server";

/** Where the program runs, which decides how its commands are called. */
export type Place = { readonly kind: "clone" } | { readonly kind: "package" } | Container;

interface Container {
  readonly kind: "container";
  readonly engine: "docker" | "podman";
  /** The name by which the container engine knows the container. */
  readonly name: string;
}

export const CLONE: Place = { kind: "clone" };
export const PACKAGE: Place = { kind: "package" };
/** Any container, as a document speaks of it. */
export const CONTAINER: Container = { kind: "container", engine: "docker", name: "CONTAINER" };

/** A command of the operator as it is typed in a place, such as `beckon-server audit` for `audit`. */
export function commandAt(place: Place, line: string): string {
  if (place.kind === "clone") return `npm run -s beckon -- ${line}`;
  const installed = `${SERVER_PACKAGE} ${line}`;
  return place.kind === "package" ? installed : `${place.engine} exec -it ${place.name} ${installed}`;
}

/** What starts the service in a place; of a container, what starts it again. */
export function startAt(place: Place): string {
  if (place.kind === "clone") return "npm start";
  return place.kind === "package" ? commandAt(place, "serve") : `${place.engine} restart ${place.name}`;
}

/** A file that the engine puts into every container. */
const MARKS = { docker: "/.dockerenv", podman: "/run/.containerenv" } as const;

/** The place of an installation, by the name in its package.json, whether a file exists, and the name of the machine. */
export function placeOf(name: string, exists: (path: string) => boolean, machine: string): Place {
  if (name !== SERVER_PACKAGE) return CLONE;
  const engine = (["docker", "podman"] as const).find((one) => exists(MARKS[one]));
  if (!engine) return PACKAGE;
  // An engine names the machine after the container's id, unless it was given another name. The engine does not know
  // the container by that name.
  return { kind: "container", engine, name: /^[0-9a-f]{12}$/.test(machine) ? machine : CONTAINER.name };
}

const here = placeOf(packageName, existsSync, hostname());

/** A command of the operator as it is typed where this program runs; in a container, from outside. */
export function ownCommand(line: string): string {
  return commandAt(here, line);
}

/** What starts the service where this program runs. */
export function startCommand(): string {
  return startAt(here);
}
