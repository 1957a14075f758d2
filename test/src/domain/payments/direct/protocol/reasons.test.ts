import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REASONS, reasonOf } from "../../../../../../src/domain/payments/direct/protocol/reasons.ts";

test.each([
  ["invalid_exact_evm_signature", "invalid_signature"],
  ["invalid_exact_evm_insufficient_balance", "insufficient_funds"],
  ["insufficient_funds", "insufficient_funds"],
  ["invalid_exact_evm_nonce_already_used", "already_used"],
  ["invalid_exact_evm_payload_authorization_valid_before", "expired"],
  ["invalid_exact_evm_transaction_simulation_failed", "transfer_failed"],
])("%s is %s", (said, reason) => {
  expect(reasonOf(said)).toBe(reason);
});

test.each([["a sentence of a stranger"], ["__proto__"], ["constructor"], [""], [undefined], [null], [7], [{}]])(
  "%o is not repeated",
  (said) => {
    expect(reasonOf(said)).toBe("refused_by_facilitator");
  },
);

test("every reason has a sentence, and every one is used", () => {
  const folder = "src/domain/payments/direct";
  const code = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const given = code.join("\n").replaceAll(/^ {2}\w+:\s+"[A-Z].*$/gm, "");
  for (const [reason, meaning] of Object.entries(REASONS)) {
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(given, reason).toContain(`"${reason}"`);
  }
});
