/**
 * A set of links of one project, by their places (0…9,999), packed for storage: the first and last place
 * and a bitmap of those between. 500 neighbours take 63 bytes.
 */
export interface PlaceSet {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly members: Buffer;
}

/** Packs places given in any order, without repetition; at least one. */
export function packPlaces(places: readonly number[]): PlaceSet {
  let first = places[0]!;
  let last = first;
  for (const place of places) {
    if (place < first) first = place;
    else if (place > last) last = place;
  }
  const members = Buffer.alloc(((last - first) >> 3) + 1);
  for (const place of places) {
    const bit = place - first;
    members[bit >> 3]! |= 1 << (bit & 7);
  }
  return { first, last, size: places.length, members };
}

/** The places of a set, ascending. */
export function unpackPlaces(set: { first: number; members: Buffer }): number[] {
  const places: number[] = [];
  set.members.forEach((byte, index) => {
    for (let bit = 0; byte >> bit; bit++) if ((byte >> bit) & 1) places.push(set.first + index * 8 + bit);
  });
  return places;
}

export function hasPlace(set: { first: number; members: Buffer }, place: number): boolean {
  const bit = place - set.first;
  return bit >= 0 && ((set.members[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}
