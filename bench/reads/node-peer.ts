import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { measured } from "../measured.ts";
import { READS, type ReadName, type Samples } from "./samples.ts";

/** The floor of the benchmark of reads: node:http that answers a constant of the same bytes, whoever asks. */
const samples: Samples = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const answers = new Map(
  Object.keys(READS).map((name) => [`/${name}`, Buffer.from(JSON.stringify(samples.answers[name as ReadName]))]),
);
const server = createServer((req, res) => {
  const bytes = answers.get(req.url!)!;
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": bytes.length }).end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
