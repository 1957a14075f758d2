import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { rateLimiter } from "hono-rate-limiter";
import { measured } from "../measured.ts";
import { dutiesOf, requestDurations } from "./peer-duties.ts";
import { openPeerStore } from "./peer-store.ts";
import { READS, type ReadName, UNTAGGED } from "./samples.ts";

/** The same as fastify-peer.ts in Hono, which has no response schemas: the handler checks its output. */
const store = openPeerStore(process.argv[2]!, process.argv[3]!);
const app = new Hono();
const keyOf = (authorization: string | undefined) => authorization!.slice("Bearer ".length);
const record = requestDurations();
app.use(async (c, next) => {
  const startedAt = performance.now();
  await next();
  record(c.res.status, (performance.now() - startedAt) / 1_000);
});
app.use(rateLimiter({ windowMs: 60_000, limit: 120, keyGenerator: (c) => keyOf(c.req.header("authorization")) }));
for (const [name, path] of Object.entries(READS) as [ReadName, string][]) {
  const { schema, headers } = dutiesOf(name);
  const route = path.replace("{project}", ":project").replace("{link}", ":link");
  if (name !== UNTAGGED) app.use(route, etag({ weak: true }));
  app.get(route, (c) => {
    const account = store.admit(keyOf(c.req.header("authorization")));
    if (account === null) return c.body(null, 401);
    return c.json(schema.parse(store.reads[name](account, c.req.param("project")!)), 200, headers);
  });
}
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
