const SIZE = 4;

/** Times of a list of things in whole seconds, 4 bytes each; null where there is no time at all. A missing time is 0. */
export function packTimes(times: readonly (number | null)[]): Buffer | null {
  if (times.every((time) => time === null)) return null;
  const packed = Buffer.alloc(times.length * SIZE);
  times.forEach((time, index) => {
    if (time !== null) packed.writeUInt32LE(Math.floor(time / 1000), index * SIZE);
  });
  return packed;
}

/** The time at this place of the list, in ms. */
export function timeAt(packed: Buffer | null, index: number): number | null {
  const seconds = packed?.readUInt32LE(index * SIZE) ?? 0;
  return seconds === 0 ? null : seconds * 1000;
}
