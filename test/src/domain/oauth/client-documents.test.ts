import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ClientDocuments, isDocumentUrl } from "../../../../src/domain/oauth/client-documents.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { SCOPES } from "../../../../src/platform/principal.ts";
import { testStore } from "../../../support/database/store.ts";
import { describing, documentHost, sends } from "../../../support/oauth/document-host.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const host = await documentHost();
const settings = { siteUrl: "https://beckon.test", contact: undefined, ...host.reachable };
const http = createHttpClient(settings, host.outside);
afterAll(async () => {
  await http.close();
  await host.close();
});

const ID = host.url();
const store = eachTest(testStore);
let documents: ClientDocuments;
beforeEach(async () => {
  documents = new ClientDocuments({ db: store.db, clock: store.clock, http });
  host.asked.length = 0;
  host.answer = sends(describing(ID));
});

const FOUND = {
  client: {
    id: ID,
    name: "Described app",
    redirectUris: ["https://app.example/callback", "http://127.0.0.1/callback"],
    scopes: SCOPES,
  },
};

test("a document is fetched by https, and describes the client", async () => {
  expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
  expect(host.asked).toEqual(["/client.json"]);
});

test("a document behind an untrusted certificate is refused", async () => {
  const { ca: _, ...outside } = host.outside;
  const strict = createHttpClient(settings, outside);
  const asking = new ClientDocuments({ db: store.db, clock: store.clock, http: strict });
  expect(await asking.of(ID, "acc_1")).toEqual({ problem: "not_fetched" });
  expect(host.asked).toEqual([]);
  await strict.close();
});

describe("addresses that are accepted as a client_id", () => {
  test.each(["https://app.example/client.json", "https://app.example/", "https://app.example:8443/oauth/client?v=2"])(
    "%s",
    (url) => expect(isDocumentUrl(url)).toBe(true),
  );
});

describe("addresses that are refused as a client_id", () => {
  test.each([
    "http://app.example/client.json",
    "HTTPS://app.example/client.json",
    "https://APP.example/client.json",
    "https://app.example",
    "https://app.example:443/client.json",
    "https://user@app.example/client.json",
    "https://@app.example/client.json",
    "https://app.example/client.json#",
    "https://app.example/client.json#x",
    "https://app.example/a/../client.json",
    "https://app.example/a/./client.json",
    "https://app.example/a/%2e%2e/client.json",
    "https://app.example\\client.json",
    "https://127.1/client.json",
    "https:/app.example/client.json",
    "https://app.example/client.json ",
    "https://app.example/cli\nent.json",
    "https://bücher.example/client.json",
    "file:///etc/passwd",
    "cli_0123456789",
    `https://app.example/${"a".repeat(2_048)}`,
  ])("%j", (url) => expect(isDocumentUrl(url)).toBe(false));
});

const moved = (to: string) => sends("", { Location: to }, 302);

describe("a document that cannot be used", () => {
  test.each([
    ["404", "not_fetched", sends(describing(ID), {}, 404)],
    ["201", "not_fetched", sends(describing(ID), {}, 201)],
    ["500", "not_fetched", sends(describing(ID), {}, 500)],
    ["a redirect to the same host", "not_fetched", moved("/other.json")],
    ["a redirect inside", "not_fetched", moved("http://127.0.0.1/")],
    ["a connection that ends", "not_fetched", (_: unknown, res: { destroy(): void }) => res.destroy()],
    ["HTML", "not_json", sends("<h1>hello</h1>", { "Content-Type": "text/html" })],
    ["JSON that says it is HTML", "not_json", sends(describing(ID), { "Content-Type": "text/html" })],
    ["JSON that is cut off", "not_json", sends('{"client_id":')],
    ["a list", "not_json", sends([describing(ID)])],
    ["null", "not_json", sends("null")],
    ["nothing", "not_json", sends("")],
    ["another client_id", "other_client", sends(describing(`${ID}?`))],
    ["no client_id", "other_client", sends(describing(ID, { client_id: undefined }))],
    ["a client_id of its prototype", "other_client", sends(`{"__proto__":${JSON.stringify(describing(ID))}}`)],
    ["no name", "no_name", sends(describing(ID, { client_name: undefined }))],
    ["a name that is no text", "no_name", sends(describing(ID, { client_name: { en: "x" } }))],
    ["no redirect_uris", "redirect_uris", sends(describing(ID, { redirect_uris: undefined }))],
    ["a list of none", "redirect_uris", sends(describing(ID, { redirect_uris: [] }))],
    [
      "eleven redirects",
      "redirect_uris",
      sends(describing(ID, { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://app.example/${i}`) })),
    ],
    ["a redirect that runs", "redirect_uris", sends(describing(ID, { redirect_uris: ["javascript:alert(1)"] }))],
    ["http elsewhere", "redirect_uris", sends(describing(ID, { redirect_uris: ["http://app.example/cb"] }))],
    ["a secret", "not_public", sends(describing(ID, { client_secret: "x" }))],
    [
      "several methods without none",
      "not_public",
      sends(
        describing(ID, {
          token_endpoint_auth_method: "private_key_jwt",
          token_endpoint_auth_methods_supported: ["private_key_jwt", "tls_client_auth"],
        }),
      ),
    ],
    ["a secret that expires", "not_public", sends(describing(ID, { client_secret_expires_at: 0 }))],
    ...["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"].map(
      (method) =>
        [`method ${method}`, "not_public", sends(describing(ID, { token_endpoint_auth_method: method }))] as const,
    ),
    ["more than 10 KB", "too_large", sends(describing(ID, { padding: "x".repeat(10_240) }))],
  ] as const)("%s: %s", async (_, problem, answer) => {
    host.answer = answer as typeof host.answer;
    expect(await documents.of(ID, "acc_1")).toEqual({ problem });
    expect(host.asked).toEqual(["/client.json"]);
    // Only what is good is kept: once it is corrected, it counts.
    host.answer = sends(describing(ID));
    expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
  });
});

test("a document that never ends is abandoned", async () => {
  host.answer = (_, res) => {
    res.writeHead(200, { "Content-Type": "application/json" });
    const more = () => {
      while (res.writable && res.write(" ".repeat(1_000)));
      res.once("drain", more);
    };
    more();
  };
  expect(await documents.of(ID, "acc_1")).toEqual({ problem: "too_large" });
});

test("a document that arrives too slowly is abandoned", async () => {
  host.answer = (_, res) => {
    res.writeHead(200, { "Content-Type": "application/json" });
    const timer = setInterval(() => res.write(" "), 20);
    res.on("close", () => clearInterval(timer));
  };
  expect(await documents.of(ID, "acc_1")).toEqual({ problem: "not_fetched" });
});

test.each([["application/json; charset=utf-8"], ["application/client-metadata+json"], ["Application/JSON"]])(
  "a document as %s is one",
  async (type) => {
    host.answer = sends(describing(ID), { "Content-Type": type });
    expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
  },
);

describe("a document of a public client", () => {
  const [preferred, list] = ["token_endpoint_auth_method", "token_endpoint_auth_methods_supported"];
  test.each<[string, object]>([
    ["without a method", { [preferred]: undefined }],
    ["with null for a method", { [preferred]: null }],
    [
      "as ChatGPT's, which prefers another method",
      { [preferred]: "private_key_jwt", [list]: ["none", "private_key_jwt"] },
    ],
    ["with none behind others", { [preferred]: "client_secret_basic", [list]: ["client_secret_basic", "none"] }],
    ["with none in its list alone", { [preferred]: undefined, [list]: ["private_key_jwt", "none"] }],
    ["with a list for a method", { [preferred]: ["private_key_jwt", "none"] }],
    ["with a text for a list", { [preferred]: "private_key_jwt", [list]: "none" }],
    ["with null for a secret", { client_secret: null, client_secret_expires_at: null }],
    ["with a key that nobody asks for", { jwks_uri: "https://app.example/jwks.json" }],
  ])("%s", async (_, changes) => {
    host.answer = sends(describing(ID, changes));
    expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
  });
});

test("redirect URIs of a document that cannot be used are left out", async () => {
  const { redirect_uris: usable } = describing(ID);
  host.answer = sends(describing(ID, { redirect_uris: ["http://[::1]/callback", ...usable, "javascript:x", 7] }));
  expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
});

describe("redirect URIs that a document must not have", () => {
  test.each([
    ["this machine", () => host.url("/client.json", "127.0.0.1")],
    ["this machine, by IPv6", () => "https://[::1]/client.json"],
    ["this machine, mapped", () => "https://[::ffff:7f00:1]/client.json"],
    ["this machine, by a name", () => host.url("/client.json", "inside.example")],
    ["localhost", () => host.url("/client.json", "localhost")],
    ["metadata of a cloud", () => "https://169.254.169.254/latest/meta-data"],
    ["metadata of a cloud, by a name", () => host.url("/latest", "metadata.example")],
    ["a private network", () => "https://10.0.0.1/client.json"],
    ["another port", () => `https://app.example:${host.port === 8443 ? 8444 : 8443}/client.json`],
    ["a name without addresses", () => "https://nowhere.example/client.json"],
  ])("%s", async (_, url) => {
    host.answer = sends(describing(url()));
    expect(await documents.of(url(), "acc_1")).toEqual({ problem: "not_fetched" });
    expect(host.asked).toEqual([]);
  });
});

test("a host that resolves to this machine is not fetched", async () => {
  const id = host.url("/client.json", "rebinds.example");
  host.answer = sends(describing(id), { Connection: "close" });
  expect(await documents.of(id, "acc_1")).toMatchObject({ client: { id } });
  store.clock.pass(DAY);
  expect(await documents.of(id, "acc_1")).toEqual({ problem: "not_fetched" });
  expect(host.asked).toHaveLength(1);
});

describe("how long a document is cached", () => {
  test.each([
    ["no word about it", undefined, 5 * MINUTE],
    ["a time within bounds", "public, max-age=3600", 3600 * SECOND],
    ["less than 30 seconds", "max-age=1", 30 * SECOND],
    ["not at all", "no-store", 30 * SECOND],
    ["not at all, whatever else", "max-age=3600, no-cache", 30 * SECOND],
    ["more than a day", "max-age=9999999999", DAY],
    ["nonsense", "max-age=-1, max-age=x", 5 * MINUTE],
  ])("%s", async (_, cacheControl, age) => {
    host.answer = sends(describing(ID), cacheControl === undefined ? {} : { "Cache-Control": cacheControl });
    await documents.of(ID, "acc_1");
    host.answer = sends(describing(ID, { client_name: "Renamed" }));
    store.clock.pass(age - 1);
    expect(await documents.of(ID, "acc_2")).toEqual(FOUND);
    expect(host.asked).toHaveLength(1);
    store.clock.pass(1);
    expect(await documents.of(ID, "acc_2")).toMatchObject({ client: { name: "Renamed" } });
  });
});

test("twenty simultaneous requests cause one fetch", async () => {
  const found = await Promise.all(Array.from({ length: 20 }, (_, i) => documents.of(ID, `acc_${i}`)));
  expect(found).toEqual(Array.from({ length: 20 }, () => FOUND));
  expect(host.asked).toHaveLength(1);
});

test("not_fetched: no answer in time", async () => {
  host.answer = () => undefined;
  const hasty = new ClientDocuments({ db: store.db, clock: store.clock, http }, 300);
  expect(await hasty.of(ID, "acc_1")).toEqual({ problem: "not_fetched" });
});

test("500 documents are cached; another one evicts the least recently used", async () => {
  let asking = 0;
  const of = async (i: number) => {
    host.answer = sends(describing(host.url(`/${i}`)));
    return documents.of(host.url(`/${i}`), `acc_${asking++}`);
  };
  for (let i = 0; i <= 500; i++) expect(await of(i)).toHaveProperty("client");
  expect(host.asked).toHaveLength(501);
  await of(500);
  await of(1);
  expect(host.asked).toHaveLength(501);
  await of(0);
  expect(host.asked).toHaveLength(502);
});

test("429: an account may cause 30 fetches in 10 minutes; cached documents do not count", async () => {
  host.answer = sends("", {}, 404);
  for (let i = 0; i < 30; i++) await documents.of(host.url(`/${i}`), "acc_1");
  const refused = await documents.of(host.url("/30"), "acc_1").catch((thrown: Refusal) => thrown);
  expect(refused).toMatchObject({ code: "rate_limited", headers: { "Retry-After": "600" } });
  expect(host.asked).toHaveLength(30);
  host.answer = sends(describing(ID));
  expect(await documents.of(ID, "acc_2")).toEqual(FOUND);
  expect(await documents.of(ID, "acc_1")).toEqual(FOUND);
});
