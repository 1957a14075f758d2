import { csvRow } from "./csv-row.ts";

/** Pages of a list hold a few hundred records; these are the representations that hold all of it, made batch by batch. */

/** CSV (RFC 4180) with a line of column names. */
export async function* csvOf<Item>(
  columns: readonly string[],
  batches: AsyncIterable<readonly Item[]>,
  cellsOf: (item: Item) => readonly (string | number | null)[],
): AsyncIterable<string> {
  yield csvRow(columns);
  for await (const batch of batches) yield batch.map((item) => csvRow(cellsOf(item))).join("");
}

/** The JSON of one page that holds everything: `{"<field>":[…],"has_more":false}`. */
export async function* jsonOf(field: string, batches: AsyncIterable<readonly unknown[]>): AsyncIterable<string> {
  yield `{${JSON.stringify(field)}:[`;
  let separator = "";
  for await (const batch of batches) {
    yield batch.reduce<string>((text, item) => {
      const piece = `${separator}${JSON.stringify(item)}`;
      separator = ",";
      return text + piece;
    }, "");
  }
  yield `],"has_more":false}`;
}
