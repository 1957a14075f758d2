import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import { rateLimit } from "express-rate-limit";
import { measured } from "../measured.ts";
import { openPeerStore } from "./peer-store.ts";
import { READS, type ReadName } from "./samples.ts";

/** The same as fastify-peer.ts in Express 5, which has no response schemas. */
const store = openPeerStore(process.argv[2]!, process.argv[3]!);
const app = express();
const keyOf = (req: Request) => req.headers.authorization!.slice("Bearer ".length);
app.use(rateLimit({ windowMs: 60_000, limit: 120, keyGenerator: keyOf, legacyHeaders: false }));
for (const [name, path] of Object.entries(READS) as [ReadName, string][]) {
  app.get(path.replace("{project}", ":project").replace("{link}", ":link"), (req, res) => {
    const account = store.accountOfKey(keyOf(req));
    if (account === null) res.status(401).end();
    else res.json(store.reads[name](account, req.params.project as string));
  });
}
const server = app.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
