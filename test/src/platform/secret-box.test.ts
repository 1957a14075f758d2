import fc from "fast-check";
import { expect, test } from "vitest";
import { SecretBox, Unsealable } from "../../../src/platform/secret-box.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const boxWith = (...keys: Buffer[]) => new SecretBox(() => keys);
const FIELD = { table: "authenticators", row: "acc_1", column: "sealed_secret" };

test("law: what is sealed is opened as it was, and sealed differently each time", () => {
  const box = boxWith(OLD);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const sealed = box.seal(text, FIELD);
      expect(box.open(sealed, FIELD)).toBe(text);
      expect(box.seal(text, FIELD)).not.toBe(sealed);
    }),
  );
});

test("a wrong key opens nothing, and the error names the key that is missing, not the secret", () => {
  const sealed = boxWith(OLD).seal("JBSWY3DPEHPK3PXP", FIELD);
  const id = sealed.split(".")[1]!;
  expect(() => boxWith(NEW).open(sealed, FIELD)).toThrow(
    expect.objectContaining({ reason: "unknown_key", message: expect.stringContaining(id) }),
  );
  // The id is replaced, so that the wrong key is tried.
  const forged = sealed.replace(id, boxWith(NEW).seal("", FIELD).split(".")[1]!);
  expect(() => boxWith(NEW).open(forged, FIELD)).toThrow(expect.objectContaining({ reason: "damaged" }));
});

test("while a key is rotated, the new one seals and both open", () => {
  const before = boxWith(OLD).seal("text", FIELD);
  const rotating = boxWith(NEW, OLD);
  expect(rotating.open(before, FIELD)).toBe("text");
  expect(rotating.isCurrent(before)).toBe(false);
  const after = rotating.seal("text", FIELD);
  expect(rotating.isCurrent(after)).toBe(true);
  expect(boxWith(NEW).open(after, FIELD)).toBe("text");
});

test.each([
  { ...FIELD, row: "acc_2" },
  { ...FIELD, table: "webhooks" },
  { ...FIELD, column: "other" },
])("a sealed text copied to %j cannot be opened there", (field) => {
  const box = boxWith(OLD);
  expect(() => box.open(box.seal("text", FIELD), field)).toThrow(expect.objectContaining({ reason: "damaged" }));
});

test("law: a sealed text that was cut or changed anywhere cannot be opened", () => {
  const box = boxWith(OLD);
  const sealed = box.seal("a secret text", FIELD);
  for (let length = 0; length < sealed.length; length++)
    expect(() => box.open(sealed.slice(0, length), FIELD), `cut at ${length}`).toThrow(Unsealable);
  const [version, id, body] = sealed.split(".");
  const bytes = Buffer.from(body!, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    const text = `${version}.${id}.${changed.toString("base64url")}`;
    expect(() => box.open(text, FIELD), `changed at ${at}`).toThrow(expect.objectContaining({ reason: "damaged" }));
  }
});
