import { expect, test } from "vitest";
import { addressPolicy } from "../../../../src/platform/http-client/address.ts";
import { resolveAllowed } from "../../../../src/platform/http-client/dns.ts";

const at = (address: string) => async () => [{ address, family: 4 }];
const none = addressPolicy([]);
const some = addressPolicy(["10.0.0.0/8"]);

test.each(["localhost", "a.localhost", "b.local", "router", "x.onion", "db.test", "y.invalid", "z.alt", "n.home.arpa"])(
  "not_public: %s is not looked up in the DNS unless FETCH_ALLOW_CIDRS is set",
  async (name) => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [];
    };
    await expect(resolveAllowed(name, none, resolve)).rejects.toMatchObject({ problem: "not_public" });
    expect(lookups).toBe(0);
  },
);

test("a special name is open only if its addresses are listed; public addresses are not enough", async () => {
  expect(await resolveAllowed("db.test", some, at("10.1.1.1"))).toEqual([{ address: "10.1.1.1", family: 4 }]);
  await expect(resolveAllowed("db.test", some, at("1.1.1.1"))).rejects.toMatchObject({ problem: "not_public" });
});

test("not_public: the answer is the same whether a special name exists or not", async () => {
  const unknown = () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }));
  await expect(resolveAllowed("db.test", some, unknown)).rejects.toMatchObject({ problem: "not_public" });
  await expect(resolveAllowed("db.example", some, unknown)).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test.each(["test.example", "localhost.example", "mylocal.example", "internal.example.com"])(
  "%s is an ordinary name",
  async (name) => {
    expect(await resolveAllowed(name, none, at("1.1.1.1"))).toHaveLength(1);
  },
);
