import type { ComponentChildren, VNode } from "preact";
import { SIZES } from "../../../platform/sizes.ts";

/** The page of a list that the query parameter `page` asks for, counted from 1; anything else is the first page. */
export function requestedPage(
  request: { query(name: string): string },
  size: number,
): { number: number; limit: number; offset: number } {
  const text = request.query("page");
  const lastPage = Math.floor(SIZES.pageOffset / size) + 1;
  const number = /^[1-9]\d{0,5}$/.test(text) ? Math.min(Number(text), lastPage) : 1;
  return { number, limit: size, offset: (number - 1) * size };
}

interface PaginationProps {
  readonly path: string;
  /** The other parameters of the list: its filter, its order. */
  readonly query?: Readonly<Record<string, string>>;
  readonly number: number;
  readonly hasMore: boolean;
  /** The id of the element to show, with its `#`. */
  readonly hash?: string;
}

/** Links to the previous and the next page; nothing if there is only one page. */
export function Pagination({ path, query = {}, number, hasMore, hash = "" }: PaginationProps): VNode | null {
  if (number === 1 && !hasMore) return null;
  const to = (page: number) => `${path}?${new URLSearchParams({ ...query, page: String(page) })}${hash}`;
  return (
    <nav class="row" aria-label="Pages of this list">
      {number > 1 && (
        <a href={to(number - 1)} rel="prev">
          Previous page
        </a>
      )}
      <span class="soft">Page {number}</span>
      {hasMore && (
        <a href={to(number + 1)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

interface PagedProps extends PaginationProps {
  /** What the list holds, such as "orders". */
  readonly noun: string;
  readonly isEmpty: boolean;
  /** What to say where there is nothing at all. */
  readonly empty: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of a list with links to the others, or a sentence where there is nothing or no such page. */
export function Paged({ noun, isEmpty, empty, children, ...pages }: PagedProps): VNode {
  if (!isEmpty)
    return (
      <>
        {children}
        <Pagination {...pages} />
      </>
    );
  if (pages.number === 1) return <p>{empty}</p>;
  return (
    <p>
      There are no more {noun}. <a href={pages.path}>Back to the first page</a>
    </p>
  );
}
