import etag from "@fastify/etag";
import rateLimit from "@fastify/rate-limit";
import fastify, { type FastifyRequest } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { measured } from "../measured.ts";
import { dutiesOf, requestDurations } from "./peer-duties.ts";
import { openPeerStore } from "./peer-store.ts";
import { READS, type ReadName, UNTAGGED } from "./samples.ts";

/**
 * Fastify 5 with kept libraries, which does what the product does for a read: key, limit, rows, output checked by its zod schema,
 * entity tag, headers, duration in a histogram.
 */
const store = openPeerStore(process.argv[2]!, process.argv[3]!);
const app = fastify().setSerializerCompiler(serializerCompiler);
const keyOf = (req: FastifyRequest) => req.headers.authorization!.slice("Bearer ".length);
await app.register(rateLimit, { max: 120, timeWindow: "1 minute", keyGenerator: keyOf, enableDraftSpec: true });
const record = requestDurations();
app.addHook("onResponse", (_req, reply, done) => {
  record(reply.statusCode, reply.elapsedTime / 1_000);
  done();
});
for (const [name, path] of Object.entries(READS) as [ReadName, string][]) {
  const { schema, headers } = dutiesOf(name);
  await app.register(async (route) => {
    if (name !== UNTAGGED) await route.register(etag, { weak: true });
    route.get<{ Params: { project: string; link: string } }>(
      path.replace("{project}", ":project").replace("{link}", ":link"),
      { schema: { response: { 200: schema } } },
      async (req, reply) => {
        const account = store.admit(keyOf(req));
        if (account === null) return reply.code(401).send();
        reply.headers(headers);
        return store.reads[name](account, req.params.project);
      },
    );
  });
}
measured({ address: await app.listen({ port: 0, host: "127.0.0.1" }) });
