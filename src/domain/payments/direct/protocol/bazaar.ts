import { PACK_IDS, type Pack } from "../../orders/packs.ts";

/**
 * How to call the resource, for registries that read it in PAYMENT-REQUIRED (x402, extension `bazaar`). Written by
 * hand, since the package that makes it depends on a validator and on cryptography that nothing else here needs.
 */
export function discoveryOf({ id: pack, credits }: Pick<Pack, "id" | "credits">) {
  return {
    bazaar: {
      info: {
        input: { type: "http", method: "POST", bodyType: "json", body: { pack } },
        output: { type: "json", example: { order: { object: "order", pack, credits }, balance: credits } },
      },
      schema: SCHEMA,
    },
  };
}

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    input: {
      type: "object",
      properties: {
        type: { type: "string", const: "http" },
        method: { type: "string", const: "POST" },
        bodyType: { type: "string", const: "json" },
        body: { type: "object", properties: { pack: { type: "string", enum: PACK_IDS } }, required: ["pack"] },
      },
      required: ["type", "method", "bodyType", "body"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { type: { type: "string" }, example: { type: "object" } },
      required: ["type"],
    },
  },
  required: ["input"],
};
