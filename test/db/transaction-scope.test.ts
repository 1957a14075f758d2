import { expect, test } from "vitest";
import { TransactionScope } from "../../db/transaction-scope.ts";

test("only what runs in a transaction is in its scope, also after another transaction has ended", async () => {
  const [one, other] = [new TransactionScope(), new TransactionScope()];
  const seen: boolean[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const long = one.run(async () => {
    seen.push(one.isActive(), other.isActive());
    await ended;
    seen.push(one.isActive());
  });
  await other.run(async () => {
    seen.push(one.isActive(), other.isActive());
  });
  expect(one.isActive()).toBe(false);
  end();
  await long;
  expect(seen).toEqual([true, false, false, true, true]);
});

test("a scope is usable again after no transaction was open, and after one that failed", async () => {
  const scope = new TransactionScope();
  await expect(scope.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(scope.isActive()).toBe(false);
  expect(await scope.run(async () => scope.isActive())).toBe(true);
  expect(await scope.run(() => scope.run(async () => scope.isActive()))).toBe(true);
});
