import { SaxesParser } from "saxes";
import type { SitemapLimits } from "../../../src/platform/lists/limits.ts";

/** The content of a sitemap, read in the simplest way: the whole document as a tree, which is then searched. */
export interface ReadSitemap {
  readonly format: string;
  readonly addresses: string[];
}

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

const SITEMAPS = /^(https?:\/\/(www\.)?(sitemaps\.org|google\.com)\/schemas\/sitemap\/\d+\.\d+\/?)?$/;
const ROOTS: Record<string, string> = { urlset: "url", sitemapindex: "sitemap" };

/** @returns null if a sitemap reader has to refuse the document */
export function readTree(text: string, limits: SitemapLimits): ReadSitemap | null {
  const root = parse(text);
  if (!root) return null;
  const local = root.name.replace(/^.*?:/, "");
  const entryName = ROOTS[local];
  const scope = scopeOf(root, {});
  if (!entryName || !isOurs(root, scope) || isTooMuch(root, limits)) return null;
  const addresses: string[] = [];
  for (const entry of ours(root, scope, entryName)) {
    for (const loc of ours(entry.node, entry.scope, "loc")) {
      if (loc.node.text.length > limits.address + 1024 || loc.node.text.trim().length > limits.address) return null;
      addresses.push(loc.node.text.trim());
    }
  }
  return { format: local === "urlset" ? "urlset" : "index", addresses };
}

function parse(text: string): Node | null {
  const parser = new SaxesParser();
  const document: Node = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  let hasDoctype = false;
  parser.on("doctype", () => {
    hasDoctype = true;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node = { name, attributes, children: [], text: "" };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  const add = (piece: string) => {
    open.at(-1)!.text += piece;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  try {
    parser.write(text).close();
  } catch {
    return null;
  }
  return hasDoctype ? null : document.children[0]!;
}

type Scope = Readonly<Record<string, string>>;

function scopeOf(node: Node, outer: Scope): Scope {
  const declared = Object.entries(node.attributes).filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  return { ...outer, ...Object.fromEntries(declared.map(([name, uri]) => [name.slice("xmlns:".length), uri.trim()])) };
}

function isOurs(node: Node, scope: Scope): boolean {
  const prefix = node.name.includes(":") ? node.name.slice(0, node.name.indexOf(":")) : "";
  const namespace = scope[prefix] ?? (prefix === "" ? "" : "undeclared");
  return SITEMAPS.test(namespace);
}

function ours(parent: Node, outer: Scope, local: string): { node: Node; scope: Scope }[] {
  return parent.children
    .map((node) => ({ node, scope: scopeOf(node, outer) }))
    .filter(({ node, scope }) => node.name.replace(/^.*?:/, "") === local && isOurs(node, scope));
}

function isTooMuch(root: Node, limits: SitemapLimits): boolean {
  let elements = 0;
  const isTooDeep = (node: Node, depth: number): boolean => {
    elements += 1;
    return (
      depth > limits.depth || node.name.length > limits.name || node.children.some((one) => isTooDeep(one, depth + 1))
    );
  };
  return isTooDeep(root, 1) || elements > limits.elements;
}
