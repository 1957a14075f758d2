import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { errorEnvelope, toRefusal } from "../../../../src/platform/errors/errors.ts";
import { withBody } from "../../../../src/surfaces/http-server/body.ts";
import { sendResponse } from "../../../../src/surfaces/http-server/send-response.ts";
import { parsed, rawClient, writeChunks } from "../../../support/network/raw-client.ts";

const MB = 1024 * 1024;
const waiting: (() => void)[] = [];

/** Answers the length of the body, once it is let. Only at /hurried is there little time to send one. */
const listener: RequestListener = (req, res) => {
  const work = async (body: Buffer) => {
    if (req.url === "/held") await new Promise<void>((resolve) => waiting.push(resolve));
    return { status: 200, headers: {}, text: JSON.stringify({ length: body.length }) };
  };
  withBody(req, res, { max: 3 * MB, timeMs: req.url === "/hurried" ? 300 : undefined }, work).then(
    (answer) => sendResponse(req, res, answer),
    (thrown) => {
      const refusal = toRefusal(thrown);
      const text = JSON.stringify(errorEnvelope(refusal, "http://beckon.test"));
      sendResponse(req, res, { status: refusal.status, headers: { ...refusal.headers }, text });
    },
  );
};
const server = createServer(listener).on("checkContinue", listener).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function post(path: string, body: Buffer<ArrayBuffer>): Promise<Response> {
  return fetch(`${url}${path}`, { method: "POST", body });
}

test("413 payload_too_large: declared, answered before a byte of it is sent", async () => {
  const client = await rawClient(url, ["POST / HTTP/1.1", "Host: localhost", `Content-Length: ${4 * MB}`]);
  const { status, headers, json } = parsed(await client.untilClosed());
  expect(status).toBe(413);
  expect(headers.get("connection")).toBe("close");
  expect(json.error).toMatchObject({ code: "payload_too_large", max_bytes: 3 * MB });
});

test("413 payload_too_large: declared, and reaches a client that goes on sending", async () => {
  const client = await rawClient(url, ["POST / HTTP/1.1", "Host: localhost", `Content-Length: ${4 * MB}`]);
  client.socket.write(Buffer.alloc(4 * MB));
  expect(parsed(await client.untilClosed()).status).toBe(413);
});

test("413 payload_too_large: chunked, and reaches a client that goes on sending", async () => {
  const client = await rawClient(url, ["POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"]);
  await writeChunks(client.socket, 8 * MB);
  client.socket.write("0\r\n\r\n");
  expect(parsed(await client.untilClosed()).status).toBe(413);
});

test("413 payload_too_large: a client that never stops sending is cut off", async () => {
  const client = await rawClient(url, ["POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"]);
  let text = "";
  client.socket.on("data", (chunk) => {
    text += chunk;
  });
  await writeChunks(client.socket, 100_000 * MB);
  expect(parsed(text).status).toBe(413);
});

test("400 invalid_request: a body that never ends is cut off in time", async () => {
  const client = await rawClient(url, ["POST /hurried HTTP/1.1", "Host: localhost", "Content-Length: 10"]);
  client.socket.write("12345");
  const { status, json } = parsed(await client.untilClosed());
  expect(status).toBe(400);
  expect(json.error.message).toContain("is incomplete");
});

test("415 unsupported_media_type: a compressed body", async () => {
  const response = await fetch(url, { method: "POST", body: "x", headers: { "Content-Encoding": "gzip" } });
  expect(response.status).toBe(415);
});

test("100: a client that sends Expect: 100-continue is told to continue", async () => {
  const head = ["POST / HTTP/1.1", "Host: localhost", "Content-Length: 3", "Expect: 100-continue", "Connection: close"];
  const client = await rawClient(url, head);
  await once(client.socket, "data");
  client.socket.write("abc");
  expect(await client.untilClosed()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
});

test("503 unavailable: a third large body, until the work on one of the first two has ended", async () => {
  const large = Buffer.alloc(2 * MB);
  const held = [post("/held", large), post("/held", large)];
  await expect.poll(() => waiting.length).toBe(2);
  const third = await post("/", large);
  expect(third.status).toBe(503);
  expect(third.headers.get("retry-after")).toBe("2");
  const chunked = await rawClient(url, ["POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"]);
  await writeChunks(chunked.socket, 2 * MB);
  expect(parsed(await chunked.untilClosed()).status).toBe(503);
  expect((await post("/", Buffer.alloc(MB))).status).toBe(200);
  waiting.shift()!();
  await Promise.race(held);
  expect((await post("/", large)).status).toBe(200);
  waiting.shift()!();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
});

test("a client that disconnects in the middle frees its slot", async () => {
  for (let i = 0; i < 3; i++) {
    const head = ["POST / HTTP/1.1", "Host: localhost", `Content-Length: ${2 * MB}`];
    const client = await rawClient(url, head);
    client.socket.write(Buffer.alloc(MB));
    client.socket.destroy();
  }
  await expect.poll(async () => (await post("/", Buffer.alloc(2 * MB))).status).toBe(200);
});
