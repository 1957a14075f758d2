import argon2 from "@node-rs/argon2";
import { afterAll, type Mock, vi } from "vitest";

/**
 * Records the calls of a function that hashes or verifies passwords, which still does its work, until the file ends. The
 * file goes on sharing its process with others, as it could not with a module that is put in place of this one.
 */
export function recordCalls<Name extends "hash" | "verify">(name: Name): Mock<(typeof argon2)[Name]> {
  const recorded = vi.spyOn(argon2, name) as unknown as Mock<(typeof argon2)[Name]>;
  afterAll(() => recorded.mockRestore());
  return recorded;
}

/** Verifies as argon2 does, and the same password with the same hash only once: for guesses by the hundred. */
export function rememberingVerify(verify: typeof argon2.verify): typeof argon2.verify {
  const known = new Map<string, Promise<boolean>>();
  return (hash, password) => {
    const key = `${hash} ${password}`;
    const verified = known.get(key) ?? verify(hash, password);
    known.set(key, verified);
    return verified;
  };
}
