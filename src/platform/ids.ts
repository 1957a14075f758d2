import { createHash, randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford base 32

/** Random characters of 5 bits each, after a prefix that says what the id names: `acc_4k7…`. */
export function newId(prefix: string, length = 20): string {
  return `${prefix}_${randomText(length)}`;
}

/** An id that sorts by the time it was made, so that the index of a large table grows at its end. @param now in ms */
export function newOrderedId(prefix: string, now: number): string {
  let time = "";
  for (let left = now; time.length < TIME_LENGTH; left = Math.floor(left / 32)) time = ALPHABET[left % 32] + time;
  return `${prefix}_${time}${randomText(11)}`;
}

/** 45 bits of ms, until the year 3084. */
const TIME_LENGTH = 9;

/** Random letters and digits of 5 bits each. */
export function randomText(length: number): string {
  let text = "";
  for (let left = length; left > 0; left--) text += ALPHABET[randomByte() & 31];
  return text;
}

/** Random bytes are drawn many at a time: the call takes longer than the bytes. Each is used once. */
const drawn = new Uint8Array(4096);
let used = drawn.length;

function randomByte(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const byte = drawn[used]!;
  drawn[used++] = 0;
  return byte;
}

/** Shorter than other ids, since link ids contain it and a request may list 10,000 of them. */
export function newProjectId(): string {
  return newId("prj", 13);
}

/** Keys of links that each project has for itself. */
export const POSITIONS = 1 << 14;

/** A link's key in the database: its project's number and its position in the submission (0…9,999). */
export function linkKey(projectNo: number, position: number): number {
  return projectNo * POSITIONS + position;
}

export function positionOf(linkKey: number): number {
  return linkKey % POSITIONS;
}

export function projectNoOf(linkKey: number): number {
  return Math.floor(linkKey / POSITIONS);
}

/** The public id of a link: its project's id and its position. It need not be stored, and no other account can guess it. */
export function linkId(projectId: string, position: number): string {
  return `lnk_${projectId.slice(4)}_${position}`;
}

/** The position of a link id within `projectId`, or null when the id is not of that project. */
export function positionOfLinkId(id: string, projectId: string): number | null {
  const match = /^lnk_([0-9a-z]{13})_(0|[1-9]\d{0,3})$/.exec(id);
  return match && `prj_${match[1]}` === projectId ? Number(match[2]) : null;
}

const BUCKETS = 64;

/** The bucket (0…63) of an account. It is stored in the rows of the account's work, so that work can be divided by account. */
export function bucketOf(accountId: string): number {
  return createHash("sha256").update(accountId).digest()[0]! % BUCKETS;
}
