import { search as searchField } from "../../../contract/params.ts";
import type { ColumnSort } from "../components/table.tsx";
import type { PageRequest } from "./page-request.ts";

/** What the address of a list asks for. */
export interface ListQuery<Sort extends string> {
  /** "" when nothing is searched for, or the text cannot be. */
  readonly search: string;
  readonly sort: Sort;
  /** What is wrong with the address, for a reader; null when nothing is. */
  readonly problem: string | null;
}

/** @param preset the order when the address names none, or one that does not exist */
export function listQuery<Sort extends string>(
  request: Pick<PageRequest, "query">,
  sorts: readonly Sort[],
  preset: Sort,
): ListQuery<Sort> {
  const search = request.query("search").trim();
  const word = request.query("sort");
  const sort = sorts.find((one) => one === word);
  const isSearchable = searchField("text").safeParse(search).success;
  const problem = !isSearchable
    ? "Search for at most 200 characters of plain text."
    : word !== "" && !sort
      ? "This list has no such order; it stands in its usual one."
      : null;
  return { search: isSearchable ? search : "", sort: sort ?? preset, problem };
}

/** The parameters that differ from what the list is without any. */
export function without(preset: Readonly<Record<string, string>>, query: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => value !== (preset[name] ?? "")));
}

/** The address of a list. @param hash the id of the element to show, with its `#` */
export function listAddress(path: string, query: Readonly<Record<string, string>>, hash = ""): string {
  const text = new URLSearchParams(query).toString();
  return `${path}${text && `?${text}`}${hash}`;
}

/**
 * The link of a column head: by this column, or the other way round if the list stands by it already.
 * @param first the direction that a first click chooses
 */
export function columnSort(
  current: string,
  word: string,
  addressOf: (sort: string) => string,
  first: "ascending" | "descending" = "ascending",
): ColumnSort {
  const direction = current === word ? "ascending" : current === `-${word}` ? "descending" : null;
  const next = direction === null ? first : direction === "ascending" ? "descending" : "ascending";
  return { href: addressOf(next === "ascending" ? word : `-${word}`), direction };
}
