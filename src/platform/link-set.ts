/**
 * A set of links of one project, packed for storage: the first and the last of their positions (0…9,999), and a
 * bitmap of the positions between them.
 */
export interface LinkSet {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly members: Buffer;
}

/** Packs positions given in any order, without repetition; at least one. */
export function packPositions(positions: readonly number[]): LinkSet {
  let first = positions[0]!;
  let last = first;
  for (const position of positions) {
    if (position < first) first = position;
    else if (position > last) last = position;
  }
  const members = Buffer.alloc(((last - first) >> 3) + 1);
  for (const position of positions) {
    const bit = position - first;
    members[bit >> 3]! |= 1 << (bit & 7);
  }
  return { first, last, size: positions.length, members };
}

/** Packs `size` positions from `first` on, without going through them. */
export function packRange(first: number, size: number): LinkSet {
  const members = Buffer.alloc((size + 7) >> 3, 0xff);
  if (size & 7) members[members.length - 1] = (1 << (size & 7)) - 1;
  return { first, last: first + size - 1, size, members };
}

/** The positions of a set, ascending. */
export function unpackPositions(set: { first: number; members: Buffer }): number[] {
  const positions: number[] = [];
  set.members.forEach((byte, index) => {
    for (let bit = 0; byte >> bit; bit++) if ((byte >> bit) & 1) positions.push(set.first + index * 8 + bit);
  });
  return positions;
}

export function hasPosition(set: { first: number; members: Buffer }, position: number): boolean {
  const bit = position - set.first;
  return bit >= 0 && ((set.members[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

/** How many positions of the set come before this one; -1 if it is not in the set. */
export function indexInSet(set: { first: number; members: Buffer }, position: number): number {
  if (!hasPosition(set, position)) return -1;
  const bit = position - set.first;
  let before = 0;
  for (let index = 0; index <= bit >> 3; index++) {
    let byte = set.members[index]!;
    if (index === bit >> 3) byte &= (1 << (bit & 7)) - 1;
    for (; byte > 0; byte &= byte - 1) before++;
  }
  return before;
}
