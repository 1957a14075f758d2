import {
  A2AError,
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { expect, test } from "vitest";
import { Fault, wireErrorOf, wireErrorOfRefusal } from "../../../a2a/bindings/errors.ts";
import { ERRORS, type ErrorCode, Refusal } from "../../../src/platform/errors/errors.ts";

/** Section 5.4 of A2A 1.0. */
test.each([
  ["TaskNotFoundError", TaskNotFoundError, -32001, 404],
  ["TaskNotCancelableError", TaskNotCancelableError, -32002, 400],
  ["PushNotificationNotSupportedError", PushNotificationNotSupportedError, -32003, 400],
  ["UnsupportedOperationError", UnsupportedOperationError, -32004, 400],
  ["ContentTypeNotSupportedError", ContentTypeNotSupportedError, -32005, 400],
  ["InvalidAgentResponseError", InvalidAgentResponseError, -32006, 500],
  ["ExtendedAgentCardNotConfiguredError", ExtendedAgentCardNotConfiguredError, -32007, 400],
  ["ExtensionSupportRequiredError", ExtensionSupportRequiredError, -32008, 400],
  ["VersionNotSupportedError", VersionNotSupportedError, -32009, 400],
] as const)("%s: the code and status of section 5.4, by the reason of the error", (name, Named, code, status) => {
  const reason = name
    .replace(/Error$/, "")
    .replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
  expect(wireErrorOf(new Named("words"))).toMatchObject({
    ...{ code, status, isHttpRefusal: false, message: "words" },
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" }],
  });
});

test.each([
  ["PARSE_ERROR", -32700],
  ["INVALID_REQUEST", -32600],
  ["METHOD_NOT_FOUND", -32601],
  ["INVALID_PARAMS", -32602],
] as const)("%s: %i over JSON-RPC, 400 over HTTP+JSON", (reason, code) => {
  const error = wireErrorOf(new Fault(reason, "words", [{ field: "a", description: "b" }]));
  expect(error).toMatchObject({ code, status: 400, name: "INVALID_ARGUMENT", message: "words" });
  expect(error!.details).toEqual([
    { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" },
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field: "a", description: "b" }] },
  ]);
});

test("an unexpected error is not an error of the protocol", () => {
  for (const thrown of [new Error("inside"), new A2AError("inside"), "inside", null])
    expect(wireErrorOf(thrown)).toBeNull();
});

test.each(Object.keys(ERRORS) as ErrorCode[])("%s keeps its status, and has a reason and a page of its own", (code) => {
  const { status } = ERRORS[code];
  const refusal = new Refusal(
    code,
    "words",
    { needed: 3, issues: [{ path: "a", message: "b" }] },
    { "Retry-After": "1" },
  );
  const error = wireErrorOfRefusal(refusal, "https://beckon.example");
  expect(error).toMatchObject({ status, isHttpRefusal: true, message: "words", headers: { "Retry-After": "1" } });
  expect(error.name).toMatch(/^[A-Z_]+$/);
  expect(error.code).toBeLessThanOrEqual(-32000);
  const own = { reason: code.toUpperCase(), domain: "beckon.example" };
  const metadata = { needed: "3", docs: `https://beckon.example/docs/errors/${code}` };
  const named =
    code === "unsupported_media_type" ? { reason: "CONTENT_TYPE_NOT_SUPPORTED", domain: "a2a-protocol.org" } : own;
  expect(error.details).toMatchObject([
    { ...named, metadata },
    { fieldViolations: [{ field: "a", description: "b" }] },
  ]);
});
