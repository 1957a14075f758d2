import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { EVERYTHING } from "../../../../scripts/snapshots.ts";
import { isIdempotent, isOfferedBy, isOn, TOOLSETS } from "../../../../src/contract/operation.ts";
import { unknownFields } from "../../../../src/contract/parse-input.ts";
import { instructionsOf } from "../../../../src/surfaces/mcp/instructions.ts";
import { operationOf, toolList } from "../../../../src/surfaces/mcp/tools.ts";
import { toolsetsIn } from "../../../../src/surfaces/mcp/toolsets.ts";
import { operations } from "../../../../tools/index.ts";
import { geminiProblems } from "../../../support/mcp/model-schemas.ts";

const INSTRUCTIONS = instructionsOf(() => true);

const ALL = new Set(TOOLSETS);
const tools = toolList(() => true, ALL);
const here = operations.filter((operation) => isOn(operation, "mcp"));
const ajv = new Ajv2020({ strict: false });
const NO_DIRECT = { ...EVERYTHING, direct: undefined };

test("every operation offered over MCP is a tool, in the order of tools/index.ts", () => {
  expect(tools.map(({ name }) => name)).toEqual(here.map(({ name }) => name));
});

test("an operation that the deployment does not offer is not listed, but can be called", () => {
  const namesOf = (config: typeof EVERYTHING) => toolList((one) => isOfferedBy(one, config)).map(({ name }) => name);
  expect(namesOf(EVERYTHING)).toContain("pay_direct");
  expect(namesOf(NO_DIRECT)).toEqual(namesOf(EVERYTHING).filter((name) => name !== "pay_direct"));
  expect(operationOf("pay_direct")?.name).toBe("pay_direct");
});

test("an operation offered only on another surface is no tool", () => {
  expect(operationOf("get_direct_price")).toBeUndefined();
});

test("a tool is the same object every time, so nothing is converted per request", () => {
  toolList(() => true, ALL).forEach((tool, i) => {
    expect(tool).toBe(tools[i]);
  });
});

test("tools of webhooks are listed on request alone, and only tools of the requested toolsets", () => {
  const namesOf = (list: string | null) => toolList(() => true, toolsetsIn(list)).map(({ name }) => name);
  expect(namesOf(null)).not.toContain("save_webhook");
  expect(namesOf("webhooks,sites")).toEqual([
    ...["list_events", "add_site", "list_sites"],
    ...["save_webhook", "list_webhooks", "delete_webhook", "list_deliveries", "redeliver_event"],
  ]);
  expect(() => toolsetsIn("jobs,everything")).toThrow("none of jobs, credits, sites, watches, webhooks, results");
});

describe.each(here.map((operation, i) => [operation.name, operation, tools[i]!] as const))(
  "%s",
  (_, operation, tool) => {
    test("has all four hints, which agree with its effect", () => {
      const hints = tool.annotations!;
      expect(tool.title).toBe(operation.title);
      const { title, ...others } = hints;
      expect(title).toBe(operation.title);
      expect(Object.keys(others).sort()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
      expect(hints.readOnlyHint).toBe(operation.effect === "read");
      const spends = operation.effect === "spend" || operation.takesPayment === true;
      const ends = operation.effect === "cancel" || operation.rest.method === "DELETE";
      expect(hints.destructiveHint).toBe(spends || ends);
    });

    test("law: its input has one type a field, no enum of anything but texts, and items in every array, as Gemini requires", () => {
      expect(geminiProblems(tool.inputSchema)).toEqual([]);
    });

    test("law: its input is closed where unknown fields are refused, and where there are none", () => {
      const isEmpty = Object.keys(tool.inputSchema.properties!).length === 0;
      const isClosed = isEmpty || unknownFields(operation, { no_such_field: 1 }).length > 0;
      expect(tool.inputSchema.additionalProperties).toBe(isClosed ? false : undefined);
    });

    test("says how it may be called, also where clients of the SDKs find it", () => {
      const { access } = operation;
      const scopes = access.kind === "scope" ? [access.scope] : [];
      const isOpen = access.kind === "public" || (access.kind === "scope" && access.anonymous !== undefined);
      const isBetterSignedIn = operation.name !== "get_pricing";
      const schemes = [
        ...(isOpen ? [{ type: "noauth" }] : []),
        ...(isBetterSignedIn ? [{ type: "oauth2", scopes }] : []),
      ];
      expect(tool).toMatchObject({ securitySchemes: schemes, _meta: { securitySchemes: schemes } });
    });

    test("law: every argument has a description", () => {
      const fields = Object.entries(tool.inputSchema.properties as Record<string, { description?: string }>);
      expect(fields.filter(([, { description }]) => !description)).toEqual([]);
    });

    test("publishes schemas of 2020-12 with objects at their roots", () => {
      for (const schema of [tool.inputSchema, tool.outputSchema].filter((one) => one !== undefined)) {
        expect(schema.type).toBe("object");
        expect(ajv.validateSchema(schema as object)).toBe(true);
      }
    });

    test("publishes no schema of its answers exactly when it may ask for a payment instead", () => {
      expect(tool.outputSchema === undefined).toBe(operation.takesPayment === true);
    });

    test("takes an idempotency_key exactly when it spends or buys", () => {
      expect("idempotency_key" in tool.inputSchema.properties!).toBe(isIdempotent(operation));
      expect(tool.inputSchema.required ?? []).not.toContain("idempotency_key");
    });

    test("publishes the defaults that hold for agents", () => {
      for (const [name, preset] of Object.entries(operation.agentDefaults ?? {})) {
        expect(tool.inputSchema.properties![name]).toMatchObject({ default: preset });
      }
    });
  },
);

test("the instructions are short enough, and name only existing tools", () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1_000);
  for (const name of INSTRUCTIONS.match(/\b[a-z]+_(?!key\b|url\b)[a-z]+\b/g)!) {
    expect(here.map((operation) => operation.name)).toContain(name);
  }
});
