import argon2 from "@node-rs/argon2";
import { expect, test } from "vitest";
import { hashPassword, passwordProblem, verifyPassword } from "../../../../src/domain/users/passwords.ts";
import { recordCalls } from "../../../support/service/argon2-calls.ts";
import { codeOf } from "../../../support/website/test-users.ts";

const verify = recordCalls("verify");

const EMAIL = "ann.lee@example.com";

test.each([
  "seven quiet herons",
  "correct horse battery",
  "xk7 Rw2-pq",
  "ünïcödé wörter",
  "漢字仮名交文漢字仮名交",
  "sunshine8841729",
  "summer dragon heaven",
  "🦆🐸🐙🦑🐝🐌🦀🐢🐬🐳",
  "a".repeat(64) + "bc".repeat(32),
])("%j is accepted", async (password) => {
  expect(await passwordProblem(password, EMAIL)).toBeNull();
});

test.each([
  ["", "at least 10"],
  ["ninechars", "at least 10"],
  ["🦆🐸🐙🦑🐝🐌🦀🐢🐬", "at least 10"],
  ["x7 ".repeat(43), "at most 128"],
  ["ﷺ".repeat(8), "at most 128"],
  ["x".repeat(2_000), "at most 128"],
  ["aaaaaaaaaaaa", "plain sequences"],
  ["abcabcabcabca", "plain sequences"],
  ["1234567890", "plain sequences"],
  ["9876543210", "plain sequences"],
  ["abcdefghijkl", "plain sequences"],
  ["QwertyUiopAsdf", "plain sequences"],
  ["poiuytrewq", "plain sequences"],
  ["1q2w3e4r5t6y", "plain sequences"],
  ["password12", "most common passwords"],
  ["P@ssw0rd2026", "most common passwords"],
  ["P@55w0rd123456", "most common passwords"],
  ["passwordpassword", "most common passwords"],
  ["!!Sunshine77", "most common passwords"],
  ["iloveyou1234", "most common passwords"],
  ["ＰＡＳＳＷＯＲＤ１２", "most common passwords"],
  ["spiderman1", "most common passwords"],
  ["Manchester1!", "most common passwords"],
  ["qwerty123456", "most common passwords"],
  ["1qaz2wsx3edc4rfv5", "plain sequences"],
  ["Zaq12wsxcde3", "most common passwords"],
  ["W4rcr4ft2019", "most common passwords"],
  ["ann.lee@example.com", "e-mail address"],
  ["Ann.Lee@Example.com1", "e-mail address"],
  ["ann.lee123", "e-mail address"],
  ["ann.lee1234567890", "e-mail address"],
  ["beckon2026", "our name"],
  ["B3ck0nBeckon", "our name"],
])("%j is refused: %s", async (password, why) => {
  expect(await passwordProblem(password, EMAIL)).toContain(why);
});

test("every one of the commonest passwords of ten characters or more is refused, capitalised or with a year added, too", async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common = dictionary["passwords-common"]!.filter((one) => one.length >= 10);
  expect(common.length).toBeGreaterThan(1_090);
  const taken: string[] = [];
  for (const one of common) {
    for (const password of [one, one.toUpperCase(), `${one[0]!.toUpperCase()}${one.slice(1)}`])
      if ((await passwordProblem(password, EMAIL)) === null) taken.push(password);
    if (/^\p{L}+$/u.test(one) && (await passwordProblem(`${one}2026!`, EMAIL)) === null) taken.push(`${one}2026!`);
  }
  expect(taken).toEqual([]);
});

test("1,000 characters, and 20 million, are refused for their length before anything else is looked at", async () => {
  for (const long of ["x", "aB3$", "password "])
    for (const characters of [1_000, 20_000_000])
      expect(await passwordProblem(long.repeat(characters / long.length), EMAIL)).toContain("at most 128");
});

test("a local part of one letter does not forbid passwords that contain the letter", async () => {
  expect(await passwordProblem("seven quiet herons", "s@example.com")).toBeNull();
});

test("argon2id, 19 MiB, two passes; no two hashes are equal; only the password matches", async () => {
  const [first, second] = [await hashPassword("seven quiet herons"), await hashPassword("seven quiet herons")];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
  expect(await verifyPassword(first, "seven quiet herons")).toBe(true);
  expect(await verifyPassword(first, "seven quiet heron")).toBe(false);
});

test("the whole password is verified: one that differs in its 72nd, 73rd or last character is another", async () => {
  const password = "seven quiet herons ".repeat(7).slice(0, 128);
  const hash = await hashPassword(password);
  expect(await verifyPassword(hash, password)).toBe(true);
  for (const position of [71, 72, 127])
    expect(await verifyPassword(hash, `${password.slice(0, position)}X${password.slice(position + 1)}`)).toBe(false);
  expect(await verifyPassword(hash, password.slice(0, 72))).toBe(false);
});

test("a password is the same however its letters are composed", async () => {
  const hash = await hashPassword("cafe\u0301 ﬁne ①②③");
  expect(await verifyPassword(hash, "café fine 123")).toBe(true);
});

test("without a stored hash verification is false after the same work", async () => {
  verify.mockClear();
  expect(await verifyPassword(null, "seven quiet herons")).toBe(false);
  expect(verify).toHaveBeenCalledOnce();
  expect(argon2.parseOptions(verify.mock.calls[0]![0])).toMatchObject({
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
});

test("without a stored hash verification is false, also for the password of the dummy hash", async () => {
  verify.mockResolvedValueOnce(true);
  expect(await verifyPassword(null, "nobody's")).toBe(false);
});

test("503 during a flood: 66 are hashed or wait, the rest is refused at once", async () => {
  const codes = await Promise.all(Array.from({ length: 80 }, () => codeOf(verifyPassword(null, "x"))));
  expect(codes.filter((code) => code === "done")).toHaveLength(66);
  expect(codes.filter((code) => code === "unavailable")).toHaveLength(14);
});
