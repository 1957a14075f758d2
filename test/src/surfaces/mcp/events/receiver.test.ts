import { afterEach, beforeEach, expect, test } from "vitest";
import { FetchFailure, type HttpClient } from "../../../../../src/platform/http-client/http-client.ts";
import { ECHO_MS, refuseUnwilling } from "../../../../../src/surfaces/mcp/events/receiver.ts";
import { liveHttp, localHttp } from "../../../../support/events/sending.ts";
import { type EventReceiver, eventReceiver } from "../../../../support/mcp/event-receiver.ts";

let receiver: EventReceiver;
let http: HttpClient;
beforeEach(async () => {
  receiver = await eventReceiver();
  http = localHttp();
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

const ask = (client: Pick<HttpClient, "postPublic"> = http) =>
  refuseUnwilling(client, { url: receiver.url, secret: receiver.secret(), subscriptionId: "sub_1", now: Date.now() });

/** A client for which ten seconds are over in 200 ms. */
const hasty: Pick<HttpClient, "postPublic"> = {
  postPublic: (url, options) => {
    expect(options.timeMs).toBe(ECHO_MS);
    return http.postPublic(url, { ...options, timeMs: 200 });
  },
};

test("ten seconds are the time for an echo", () => {
  expect(ECHO_MS).toBe(10_000);
});

test.each([
  ["never answers", () => undefined],
  ["begins to answer, and never ends", (res: { write(text: string): unknown }) => void res.write('{"challenge":')],
] as const)("a receiver that %s: timeout", async (_, challenge) => {
  receiver.answer({ challenge });
  await expect(ask(hasty)).rejects.toMatchObject({ code: -32_015, data: { reason: "timeout" } });
});

test("a receiver that echoes among megabytes of other text: challenge_failed", async () => {
  receiver.answer({
    challenge: (res, { json }) =>
      res.writeHead(200).end(JSON.stringify({ before: "x".repeat(3_000_000), challenge: json.challenge })),
  });
  await expect(ask()).rejects.toMatchObject({ data: { reason: "challenge_failed" } });
});

test("a receiver that hangs up: connection_refused", async () => {
  receiver.answer({ challenge: (res) => res.destroy() });
  await expect(ask()).rejects.toMatchObject({ data: { reason: "connection_refused" } });
});

test("an address of this machine is not asked by a live service", async () => {
  const live = liveHttp({});
  await expect(ask(live)).rejects.toMatchObject({ data: { reason: "connection_refused" } });
  expect(receiver.challenges).toEqual([]);
  await live.close();
});

test("a certificate that is not valid: tls_error", async () => {
  const refused = { postPublic: () => Promise.reject(new FetchFailure("unreachable", "certificate_expired")) };
  await expect(ask(refused)).rejects.toMatchObject({ data: { reason: "tls_error" } });
});
