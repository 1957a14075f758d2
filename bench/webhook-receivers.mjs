// Receivers of webhooks in a process of their own: `node webhook-receivers.mjs COUNT HANGING`. It says the ports, then counts.
import { createServer } from "node:http";

const [count, hanging] = process.argv.slice(2).map(Number);
const received = Array.from({ length: count }, () => 0);
const ports = await Promise.all(
  received.map(
    (_, at) =>
      new Promise((resolve) => {
        const server = createServer((req, res) => {
          req.resume();
          req.on("end", () => {
            received[at] += 1;
            if (at >= hanging) res.writeHead(204).end();
          });
        });
        server.listen(0, "127.0.0.1", () => resolve(server.address().port));
      }),
  ),
);
process.send({ ports });
process.on("message", () => process.send({ received }));
