import fc from "fast-check";
import { ENDING_SCRIPTS } from "./scripted-agent.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const anyName = anyText.filter((name) => name !== "" && name !== "__proto__");
const anyMetadata = fc.dictionary(anyName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const anyPart = fc
  .tuple(
    fc.oneof(
      fc.record({ text: anyText }),
      fc.record({ data: fc.jsonValue({ maxDepth: 3 }).filter((data) => data !== null) }),
    ),
    fc.record(
      { mediaType: fc.constantFrom("text/plain", "application/json"), filename: anyText, metadata: anyMetadata },
      { requiredKeys: [] },
    ),
  )
  .map(([content, more]) => ({ ...content, ...more }));
/** The parameters of any valid SendMessage. The message id begins with the name of a script of the scripted agent. */
export const anyRequest = fc.record(
  {
    message: fc.record(
      {
        role: fc.constant("ROLE_USER"),
        messageId: fc.tuple(fc.constantFrom(...ENDING_SCRIPTS), anyText).map((texts) => texts.join(" ")),
        parts: fc.array(anyPart, { minLength: 1, maxLength: 3 }),
        contextId: anyText,
        metadata: anyMetadata,
        extensions: fc.array(fc.webUrl(), { maxLength: 2 }),
        referenceTaskIds: fc.array(anyText, { maxLength: 2 }),
      },
      { requiredKeys: ["messageId", "role", "parts"] },
    ),
    configuration: fc.record(
      {
        acceptedOutputModes: fc.array(fc.constantFrom("text/plain", "application/json"), { maxLength: 2 }),
        historyLength: fc.nat({ max: 1_000 }),
        returnImmediately: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    metadata: anyMetadata,
  },
  { requiredKeys: ["message"] },
);
