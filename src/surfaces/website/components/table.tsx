import type { ComponentChildren, VNode } from "preact";

interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** A column of numbers, which stand below each other by their last digit. */
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** It stays a table on a phone, because its few columns fit. */
  readonly isNarrow?: boolean;
}

/** A table of records: on a desk it scrolls on its own where it is wider than the page, on a phone each row is a card. */
export function Table<Row>({ label, columns, rows, isNarrow }: TableProps<Row>): VNode {
  return (
    <section class={isNarrow ? "wide" : "wide data"} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" class={isNumber ? "number" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ head, cell, isNumber }) => (
                <td key={head} data-label={head} class={isNumber ? "number" : undefined}>
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
