import { decodePaymentRequiredHeader } from "@x402/core/http";
import { validatePaymentRequired } from "@x402/core/schemas";
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import { Challenge } from "mppx";
import { afterAll, describe, expect, test } from "vitest";
import { challengeSecret } from "../../../../../../src/domain/payments/direct/protocol/challenge-secret.ts";
import { PACKS } from "../../../../../../src/domain/payments/orders/packs.ts";
import { DirectWorld } from "../../../../../support/payments/direct-world.ts";

const world = await DirectWorld.open();
afterAll(() => world.store.close());

describe.each(PACKS.map((pack) => [pack.id, pack] as const))("the price of %s", (id, pack) => {
  const ready = world.direct.price(pack);

  test("PAYMENT-REQUIRED, as the stock parser reads it", async () => {
    const header = (await ready)["PAYMENT-REQUIRED"]!;
    const price = validatePaymentRequired(decodePaymentRequiredHeader(header));
    const { extensions, ...rest } = price as typeof price & { extensions: unknown };
    expect(extensions).toHaveProperty("bazaar");
    expect(rest).toEqual({
      x402Version: 2,
      error: "Payment required",
      resource: {
        url: "http://beckon.test:8080/api/v1/credits/x402",
        description: `${pack.credits} credits (pack ${id})`,
        mimeType: "application/json",
      },
      accepts: [
        {
          scheme: "exact",
          network: "eip155:31337",
          amount: `${pack.amountCents}0000`,
          asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
          payTo: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
          maxTimeoutSeconds: 300,
          extra: { name: "Test USD", version: "2", assetTransferMethod: "eip3009" },
        },
      ],
    });
    expect(header.length).toBeLessThan(4096);
  });

  test("WWW-Authenticate: Payment, as the stock parser reads it", async () => {
    const header = (await ready)["WWW-Authenticate"]!;
    const challenge = Challenge.deserialize(header);
    expect(challenge).toMatchObject({
      realm: "beckon.test",
      method: "evm",
      intent: "charge",
      description: `${pack.credits} credits (pack ${id})`,
      expires: new Date(world.clock.now() + 300_000).toISOString(),
      header: "Payment-Authorization",
      request: {
        amount: `${pack.amountCents}0000`,
        currency: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        methodDetails: { chainId: 31337, credentialTypes: ["authorization"], decimals: 6 },
        recipient: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      },
    });
    // Said again by the stock serialiser it is the same to the byte, and its identifier is the one that it makes.
    expect(Challenge.serialize(challenge)).toBe(header);
    expect(Challenge.verify(challenge, { secretKey: await challengeSecret(world.db) })).toBe(true);
    expect(Challenge.verify(challenge, { secretKey: "another" })).toBe(false);
  });

  test("the extension bazaar, as the stock validator reads it", async () => {
    const { extensions } = decodePaymentRequiredHeader((await ready)["PAYMENT-REQUIRED"]!);
    const bazaar = extensions!.bazaar as Parameters<typeof validateDiscoveryExtension>[0];
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec({ ...bazaar })).toEqual({ valid: true });
  });

  test("nobody keeps it", async () => {
    expect((await ready)["Cache-Control"]).toBe("no-store");
  });
});

test("why a payment was not accepted stands in `error`", async () => {
  const headers = await world.direct.price(world.pack, "expired");
  expect(decodePaymentRequiredHeader(headers["PAYMENT-REQUIRED"]!).error).toBe("expired");
});

test("two challenges of one moment are two: each has a payment of its own", async () => {
  const [one, other] = [await world.direct.price(world.pack), await world.direct.price(world.pack)];
  const ids = [one, other].map((headers) => Challenge.deserialize(headers["WWW-Authenticate"]!).id);
  expect(new Set(ids).size).toBe(2);
});
