import type { ComponentChildren, VNode } from "preact";

/** The order that the head of a column leads to, and the direction in which the table stands by this column now. */
export interface ColumnSort {
  readonly href: string;
  readonly direction: "ascending" | "descending" | null;
}

export interface Column<Row> {
  readonly head: string;
  /** Absent: the table cannot be sorted by this column. */
  readonly sort?: ColumnSort;
  readonly cell: (row: Row) => ComponentChildren;
  /** A column of numbers, which are aligned by their last digit. */
  readonly isNumber?: boolean;
  /** Its cells stay on one line on a desk. */
  readonly isOneLine?: boolean;
  /** Its values need no head to be understood: the cards of a phone show them without it, and two of them side by side. */
  readonly isPlain?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** It stays a table on a phone, because its few columns fit. */
  readonly isNarrow?: boolean;
  /** Rows of one line each, for long lists. */
  readonly isDense?: boolean;
}

/** A table of records: on a desk it scrolls on its own where it is wider than the page, on a phone each row is a card. */
export function Table<Row>({ label, columns, rows, isNarrow, isDense }: TableProps<Row>): VNode {
  const name = ["wide", ...(isNarrow ? [] : ["data"]), ...(isDense ? ["dense"] : [])].join(" ");
  return (
    <section class={name} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, isNumber, sort }) => (
              <th
                key={head}
                scope="col"
                class={isNumber ? "number" : undefined}
                aria-sort={sort?.direction ?? undefined}
              >
                {sort ? <a href={sort.href}>{head}</a> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ head, cell, isNumber, isOneLine, isPlain }) => (
                <td
                  key={head}
                  data-label={head}
                  class={classNames({ number: isNumber, "one-line": isOneLine, plain: isPlain })}
                >
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function classNames(names: Readonly<Record<string, boolean | undefined>>): string | undefined {
  const present = Object.keys(names).filter((name) => names[name]);
  return present.length > 0 ? present.join(" ") : undefined;
}
