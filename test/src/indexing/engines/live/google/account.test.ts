import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readServiceAccount } from "../../../../../../src/indexing/engines/live/google/account.ts";

const folder = mkdtempSync(join(tmpdir(), "beckon-account-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pem = (pair: { privateKey: import("node:crypto").KeyObject }) =>
  pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const rsa = pem(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const elliptic = pem(generateKeyPairSync("ec", { namedCurve: "P-256" }));
const FILE = { type: "service_account", client_email: "beckon@project.iam.gserviceaccount.com", private_key: rsa };
const json = JSON.stringify(FILE);

test("the setting holds a key file as JSON, or its path", () => {
  const path = join(folder, "key.json");
  writeFileSync(path, JSON.stringify(FILE, null, 2));
  for (const setting of [json, ` ${json}\n`, path]) {
    const account = readServiceAccount(setting);
    expect(account).toMatchObject({ clientEmail: FILE.client_email, tokenUri: "https://oauth2.googleapis.com/token" });
    expect(account.key.asymmetricKeyType).toBe("rsa");
  }
});

const twoPaths = `${join(folder, "a.json")},${join(folder, "b.json")}`;

test.each([
  ["two in a list", `[${json},${json}]`, /exactly one service account/],
  ["one in a list", `[${json}]`, /exactly one service account/],
  ["two after each other", `${json}\n${json}`, /exactly one service account/],
  ["two paths", twoPaths, /exactly one service account/],
  ["no such file", join(folder, "missing.json"), /neither JSON nor the path/],
  ["nothing", "", /neither JSON nor the path/],
  ["the bare key", rsa, /neither JSON nor the path/],
  ["JSON cut off", json.slice(0, -9), /not valid JSON/],
  ["another type", JSON.stringify({ ...FILE, type: "authorized_user" }), /another type/],
  ["no e-mail address", JSON.stringify({ ...FILE, client_email: undefined }), /no client_email/],
  ["no key", JSON.stringify({ ...FILE, private_key: undefined }), /no private_key/],
  ["a broken key", JSON.stringify({ ...FILE, private_key: rsa.slice(0, 600) }), /cannot be read/],
  ["a key of another kind", JSON.stringify({ ...FILE, private_key: elliptic }), /not an RSA key/],
  ["a token_uri on plain http", JSON.stringify({ ...FILE, token_uri: "http://example.com/token" }), /no https address/],
  ["a token_uri that is none", JSON.stringify({ ...FILE, token_uri: 1 }), /no https address/],
])("refused, naming the setting without quoting its value: %s", (_, setting, why) => {
  let message = "";
  try {
    readServiceAccount(setting);
  } catch (thrown) {
    message = (thrown as Error).message;
  }
  expect(message).toMatch(/^GOOGLE_SERVICE_ACCOUNT /);
  expect(message).toMatch(why);
  for (const line of rsa.split("\n").filter((one) => one.length > 20)) expect(message).not.toContain(line);
  expect(message).not.toContain(folder);
});

test("a token endpoint on this machine may use http, so that a fake can stand in", () => {
  const setting = JSON.stringify({ ...FILE, token_uri: "http://127.0.0.1:4010/google/token" });
  expect(readServiceAccount(setting).tokenUri).toBe("http://127.0.0.1:4010/google/token");
});
