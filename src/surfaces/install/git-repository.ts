import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A repository with a single commit. */
export interface Repository {
  /** The name of the commit. */
  readonly head: string;
  /** All its objects, as they are transferred (git-scm.com/docs/pack-format, version 2). */
  readonly pack: Buffer;
}

export interface CommitFacts {
  /** `Name <address>` */
  readonly author: string;
  readonly message: string;
  /** In ms. */
  readonly at: number;
}

/** The types of objects, by their numbers in a pack. */
const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

type Type = keyof typeof TYPES;

/** Makes a repository of files, given by their paths. */
export function repositoryOf(files: ReadonlyMap<string, string>, { author, message, at }: CommitFacts): Repository {
  const objects = new Map<string, Buffer>();
  const add = (type: Type, content: Buffer): Buffer => {
    const name = createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest();
    objects.set(name.toString("hex"), packed(type, content));
    return name;
  };
  const who = `${author} ${Math.floor(at / 1000)} +0000`;
  const tree = addTree(
    [...files].map(([path, text]) => [path.split("/"), text]),
    add,
  ).toString("hex");
  const head = add("commit", Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`));
  const start = Buffer.alloc(12);
  start.write("PACK");
  start.writeUInt32BE(2, 4);
  start.writeUInt32BE(objects.size, 8);
  const body = Buffer.concat([start, ...objects.values()]);
  return { head: head.toString("hex"), pack: Buffer.concat([body, createHash("sha1").update(body).digest()]) };
}

/** Adds a folder with all that is in it. @returns the name of its tree */
function addTree(
  files: readonly (readonly [path: readonly string[], text: string])[],
  add: (type: Type, content: Buffer) => Buffer,
): Buffer {
  const entries = [...new Set(files.map(([[first]]) => first!))].map((name) => {
    const inside = files.filter(([[first]]) => first === name);
    const [[path, text]] = inside as [(typeof files)[number]];
    if (path.length === 1) return { key: name, head: `100644 ${name}\0`, object: add("blob", Buffer.from(text)) };
    const below = inside.map(([[, ...rest], content]) => [rest, content] as const);
    // Folders are ordered as if their names ended with a slash.
    return { key: `${name}/`, head: `40000 ${name}\0`, object: addTree(below, add) };
  });
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  return add("tree", Buffer.concat(entries.flatMap(({ head, object }) => [Buffer.from(head), object])));
}

/** An object in a pack: its type and size in groups of 4, then 7 bits, and its content compressed. */
function packed(type: Type, content: Buffer): Buffer {
  const head: number[] = [];
  let byte = (TYPES[type] << 4) | (content.length & 15);
  for (let rest = content.length >> 4; rest > 0; rest >>= 7) {
    head.push(byte | 128);
    byte = rest & 127;
  }
  return Buffer.concat([Buffer.from([...head, byte]), deflateSync(content, { level: 9 })]);
}
