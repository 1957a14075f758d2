import { Agent } from "undici";
import { expect, test } from "vitest";
import { guardedConnector } from "../../../../src/platform/http-client/connect.ts";
import { HTTP_LIMITS } from "../../../../src/platform/http-client/limits.ts";
import { says, startRawServer } from "../../../support/network/raw-server.ts";

const web = await startRawServer("127.0.0.2", () => says("200 OK", {}));

test("not_public: the address of the connection is checked again before anything is sent", async () => {
  const judged: string[] = [];
  const addresses = {
    isAllowed: (address: string) => judged.push(address) === 1,
    isListed: () => false,
    isListEmpty: true,
  };
  const resolve = async () => [{ address: "127.0.0.2", family: 4 }];
  const agent = new Agent({ connect: guardedConnector(addresses, resolve, HTTP_LIMITS) });
  const request = agent.request({ origin: `http://site.example:${web.port}`, path: "/", method: "GET" });
  await expect(request).rejects.toMatchObject({ problem: "not_public" });
  expect(judged).toEqual(["127.0.0.2", "127.0.0.2"]);
  expect(web.heads).toEqual([]);
  await expect.poll(() => web.open()).toBe(0);
  await agent.destroy();
});
