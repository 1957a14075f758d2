import { type AnyOperation, isOn, type Representation } from "../src/contract/operation.ts";
import { Refusal } from "../src/platform/errors/errors.ts";
import { operations } from "../tools/index.ts";

export const PREFIX = "/api/v1";

export interface Route {
  readonly operation: AnyOperation;
  /** The representation that the suffix of the path asks for; null without one. */
  readonly representation: Representation<Record<string, unknown>> | null;
}

export interface Match extends Route {
  readonly params: Readonly<Record<string, string>>;
}

/** @param path after the prefix, still percent-encoded. @throws Refusal not_found, method_not_allowed */
export function match(method: string, path: string): Match {
  const found = addressAt(path);
  if (!found) throw new Refusal("not_found", "There is no such address. See the operations at /openapi.json.");
  const route = found.address.methods.get(method === "HEAD" ? "GET" : method);
  if (route) {
    const { operation, representation } = route;
    return { operation, representation, params: paramsOf(found.address, found.values) };
  }
  const allowed = methodsOf(found.address).join(", ");
  throw new Refusal("method_not_allowed", `This address answers ${allowed}.`, {}, { Allow: allowed });
}

/** The methods of a path; every method that is used anywhere for an unknown path. */
export function methodsAt(path: string): string[] {
  const found = addressAt(path);
  return found ? methodsOf(found.address) : ["DELETE", "GET", "HEAD", "PATCH", "POST", "OPTIONS"];
}

interface Address {
  /** `/projects/{project_id}` */
  readonly template: string;
  readonly pattern: RegExp;
  /** The names of the parameters, in their order. */
  readonly names: readonly string[];
  readonly methods: Map<string, Route>;
}

/** `{project_id}` in a template. */
const PARAMETER = /\{(\w+)\}/g;

/** Addresses whose path has no parameter, by their path. */
const fixed = new Map<string, Address>();
/** Addresses with parameters, by their first segment, which is never a parameter. */
const patterns = new Map<string, Address[]>();
for (const address of compile()) {
  const { template } = address;
  const folder = folderOf(template);
  if (template.includes("{")) patterns.set(folder, [...(patterns.get(folder) ?? []), address]);
  else fixed.set(template, address);
}

/** Fixed segments are tried before parameters. */
function compile(): Address[] {
  const byTemplate = new Map<string, Address>();
  const add = (template: string, method: string, route: Route) => {
    const address = byTemplate.get(template) ?? {
      template,
      pattern: patternOf(template),
      names: [...template.matchAll(PARAMETER)].map(([, name]) => name!),
      methods: new Map(),
    };
    address.methods.set(method, route);
    byTemplate.set(template, address);
  };
  for (const operation of operations.filter((one) => isOn(one, "rest"))) {
    const { method, path } = operation.rest;
    add(path, method, { operation, representation: null });
    for (const representation of operation.representations ?? []) {
      add(`${path}.${representation.suffix}`, method, { operation, representation });
    }
  }
  const parameters = (template: string) => template.split("{").length;
  return [...byTemplate].sort(([a], [b]) => parameters(a) - parameters(b)).map(([, address]) => address);
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(PARAMETER, "([^/]+)")}$`);
}

/** @returns the address, and the values of its parameters, still percent-encoded */
function addressAt(path: string): { address: Address; values: readonly string[] } | null {
  const address = fixed.get(path);
  if (address) return { address, values: [] };
  for (const address of patterns.get(folderOf(path)) ?? []) {
    const hit = address.pattern.exec(path);
    if (hit) return { address, values: hit.slice(1) };
  }
  return null;
}

/** `/projects` of `/projects/prj_1/links` */
function folderOf(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

function methodsOf({ methods }: Address): string[] {
  return [
    ...[...methods.keys()].sort().flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    "OPTIONS",
  ];
}

function paramsOf({ names }: Address, values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  try {
    names.forEach((name, at) => {
      params[name] = decodeURIComponent(values[at]!);
    });
    return params;
  } catch {
    throw new Refusal("not_found", "The percent-encoding of the address is not valid.");
  }
}
