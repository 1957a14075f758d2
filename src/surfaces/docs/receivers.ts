/** Programs that receive webhooks, for the document about them; test/src/surfaces/docs/receivers.test.ts runs them. */

export const JAVASCRIPT_RECEIVER = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.BECKON_WEBHOOK_SECRET.replace("whsec_", ""), "base64");
const seen = new Set(); // In a database, if you have one.

function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return signatures.split(" ").some((text) => {
    const [version, signature = ""] = text.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (!isGenuine(req.headers, body)) return res.writeHead(400).end();
  res.writeHead(204).end();
  if (seen.has(req.headers["webhook-id"])) return;
  seen.add(req.headers["webhook-id"]);
  const { type, data } = JSON.parse(body);
  console.log(type, JSON.stringify(data));
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log("listening", server.address().port));`;

export const PYTHON_RECEIVER = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["BECKON_WEBHOOK_SECRET"].replace("whsec_", ""))
seen = set()  # In a database, if you have one.

def is_genuine(headers, body):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(f"v1,{expected}", one) for one in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            self.send_response(400)
            return self.end_headers()
        self.send_response(204)
        self.end_headers()
        if self.headers["webhook-id"] in seen:
            return
        seen.add(self.headers["webhook-id"])
        event = json.loads(body)
        print(event["type"], json.dumps(event["data"]), flush=True)

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening", server.server_port, flush=True)
server.serve_forever()`;
