import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callAll } from "../../bench/connections.ts";

/** Answers with the body it is sent, in the way that the path names. */
const server: Server = createServer(async (req, res) => {
  let body = "";
  for await (const piece of req) body += piece;
  if (req.url === "/chunks") {
    res.write("in chunks, ");
    setImmediate(() => res.end(body));
  } else if (req.url === "/close") {
    res.socket!.destroy();
  } else {
    res.writeHead(req.url === "/unchanged" ? 304 : 200).end(req.url === "/unchanged" ? undefined : body);
  }
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.each(["/whole", "/chunks"])("each request is sent once, and its answer is read whole: %s", async (path) => {
  const numbers: number[] = [];
  const request = (n: number) => ({ url: `${address}${path}`, headers: {}, body: `n: ${n}` });
  const isRight = (status: number, text: string) =>
    numbers.push(Number(/n: (\d\d)/.exec(text)![1])) > 0 && status === 200;
  await callAll({ request, isRight }, 10, 50);
  expect(numbers.sort()).toEqual(Array.from({ length: 40 }, (_, n) => n + 10));
});

test("an answer without a body is whole at the end of its head", async () => {
  const statuses: number[] = [];
  const request = () => ({ url: `${address}/unchanged`, headers: {} });
  await callAll({ request, isRight: (status, text) => statuses.push(status) > 0 && text === "" }, 0, 12);
  expect(statuses).toEqual(new Array(12).fill(304));
});

test("a wrong answer and a lost connection end the calls with an error", async () => {
  const to = (path: string) => ({ request: () => ({ url: `${address}${path}`, headers: {} }) });
  await expect(callAll({ ...to("/whole"), isRight: () => false }, 0, 1)).rejects.toThrow("HTTP/1.1 200 OK");
  await expect(callAll({ ...to("/close"), isRight: () => true }, 0, 1)).rejects.toThrow("closed a connection");
});
