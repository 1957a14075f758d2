import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import { rateLimit } from "express-rate-limit";
import { measured } from "../measured.ts";
import { dutiesOf, requestDurations } from "./peer-duties.ts";
import { openPeerStore } from "./peer-store.ts";
import { READS, type ReadName } from "./samples.ts";

/** The same as fastify-peer.ts in Express 5, which has no response schemas: the handler checks its output. */
const store = openPeerStore(process.argv[2]!, process.argv[3]!);
const app = express();
const keyOf = (req: Request) => req.headers.authorization!.slice("Bearer ".length);
const record = requestDurations();
app.use((_req, res, next) => {
  const startedAt = performance.now();
  res.on("finish", () => record(res.statusCode, (performance.now() - startedAt) / 1_000));
  next();
});
app.use(
  rateLimit({ windowMs: 60_000, limit: 120, keyGenerator: keyOf, standardHeaders: "draft-6", legacyHeaders: false }),
);
for (const [name, path] of Object.entries(READS) as [ReadName, string][]) {
  const { schema, headers } = dutiesOf(name);
  app.get(path.replace("{project}", ":project").replace("{link}", ":link"), (req, res) => {
    const account = store.admit(keyOf(req));
    if (account === null) res.status(401).end();
    else res.set(headers).json(schema.parse(store.reads[name](account, req.params.project as string)));
  });
}
const server = app.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
