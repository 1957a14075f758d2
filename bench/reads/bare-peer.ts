import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { measured } from "../measured.ts";
import { openPeerStore } from "./peer-store.ts";
import { READS, type ReadName } from "./samples.ts";

/** The same as fastify-peer.ts by hand on node:http, without a schema: the least that can be done for a read. */
const store = openPeerStore(process.argv[2]!, process.argv[3]!);
const LIMIT = 120;
/** Calls of each key in this minute. */
let calls = new Map<string, number>();
setInterval(() => (calls = new Map()), 60_000).unref();

/** The paths of the reads as patterns, and their names. */
const routes = (Object.entries(READS) as [ReadName, string][]).map(
  ([name, path]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`), name] as const,
);

const server = createServer((req, res) => {
  const key = req.headers.authorization!.slice("Bearer ".length);
  const used = (calls.get(key) ?? 0) + 1;
  calls.set(key, used);
  const account = store.admit(key);
  const [path, name] = routes.find(([pattern]) => pattern.test(req.url!))!;
  if (account === null || used > LIMIT) return void res.writeHead(account === null ? 401 : 429).end();
  const text = JSON.stringify(store.reads[name](account, path.exec(req.url!)![1]!));
  const left = String(LIMIT - used);
  res.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "X-RateLimit-Limit": LIMIT,
    "X-RateLimit-Remaining": left,
  });
  res.end(text);
});
server.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
