import { expect, test } from "vitest";
import { LongList } from "../../../src/platform/long-list.ts";

const PIECE = 8_192;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const listOf = (items: readonly number[]) => {
  const list = new LongList<number>();
  for (const item of items) list.push(item);
  return list;
};

test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5])(
  "law: a list of %i is what an array of them is",
  (count) => {
    const array = numbers(count);
    const list = listOf(array);
    expect(list.length).toBe(count);
    expect([...list]).toEqual(array);
    expect(list.slice()).toEqual(array);
    for (const index of [0, 1, PIECE - 1, PIECE, count - 1, count, -1, -count, -count - 1])
      expect(list.at(index), `${index}`).toBe(array.at(index));
    for (const from of [0, 1, PIECE - 1, PIECE, 2 * PIECE - 3, count])
      for (const to of [from, from + 1, from + 6, PIECE, 2 * PIECE, count, count + 9])
        expect(list.slice(from, to), `${from} to ${to}`).toEqual(array.slice(from, to));
  },
);

test("what a slice gives is the caller's", () => {
  const list = listOf([1, 2, 3]);
  list.slice().push(4);
  list.slice(0, 2).reverse();
  expect([...list]).toEqual([1, 2, 3]);
});

test("lists one after the other: one that is alone is not copied", () => {
  const list = listOf(numbers(PIECE + 1));
  expect(LongList.of([[], list, []])).toBe(list);
  expect([...LongList.of([[7], list, [8, 9]])]).toEqual([7, ...list, 8, 9]);
  expect([...LongList.of<number>([])]).toEqual([]);
});
