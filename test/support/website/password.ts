import { hashPassword } from "../../../src/domain/users/passwords.ts";
import { lazily } from "../../../src/platform/concurrency.ts";

/** The password of everybody in tests. */
export const PASSWORD = "seven quiet herons";

/** Its hash, made once in each process: a hash takes longer than most tests. */
export const passwordHash = lazily(() => hashPassword(PASSWORD));
