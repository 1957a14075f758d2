import { FLOORS, floorOf, ROOMS } from "../test/support/checks/rooms.ts";

/** Where the words about a floor begin. */
const COLUMN = 34;

/**
 * The floors of the house with their rooms, the highest first. A room stands as low as what it imports allows, so that rooms of one
 * line do not import each other. The website is one room here.
 */
export function roomsPicture(): string {
  const floors = FLOORS.map(({ places, about }, floor) => {
    const title = `${places.map(nameOf).join("  ").padEnd(COLUMN)}${about}`;
    return [title, ...linesOf(roomsOf(floor)).map((line) => `    ${line}`)].join("\n");
  });
  return ["```", floors.reverse().join("\n        ↓\n"), "```"].join("\n");
}

function nameOf(place: string): string {
  return place.replace(/^src\//, "");
}

/** The rooms that stand on a floor, as the tables of the architecture list them. */
function roomsOf(floor: number): string[] {
  const names = Object.keys(ROOMS).filter((name) => floorOf(ROOMS[name]!.paths[0]!) === floor);
  return names.filter((name) => !name.startsWith("website/"));
}

/** The rooms by how high they stand, the highest first. A floor of one room has no lines. */
function linesOf(rooms: readonly string[]): string[] {
  const heights = new Map<string, number>();
  for (const room of rooms) {
    const below = importsOf(room).flatMap((other) => heights.get(other) ?? []);
    heights.set(room, Math.max(-1, ...below) + 1);
  }
  if (rooms.length === 1) return [];
  const highest = Math.max(...heights.values());
  return Array.from({ length: highest + 1 }, (_, step) =>
    rooms.filter((room) => heights.get(room) === highest - step).join(", "),
  );
}

/** The rooms that a room may import from; the website's, what each room of it may. */
function importsOf(room: string): string[] {
  const all = Object.entries(ROOMS).filter(([name]) => name === room || name.startsWith(`${room}/`));
  return all.flatMap(([, { may, types = [] }]) => [...may, ...types]).filter((other) => other !== room);
}
