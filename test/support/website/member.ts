import { randomUUID } from "node:crypto";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import type { TestService } from "../service/service.ts";
import { PASSWORD, passwordHash } from "./password.ts";
import type { PageSeen, User } from "./user.ts";

export { PASSWORD } from "./password.ts";

export interface Member {
  readonly email: string;
  readonly accountId: string;
}

/** Somebody whose account is open, with `PASSWORD`, and who is signed in nowhere. */
export async function member(service: TestService, email = `${randomUUID()}@example.com`): Promise<Member> {
  const now = service.clock.now();
  const account = { email, passwordHash: await passwordHash(), verifiedAt: now, now };
  const { id } = await service.db.tx((tx) => createAccount(tx, account));
  return { email, accountId: id };
}

/** Signs a member in by the page. */
export async function signInAs(user: User, { email }: Member, returnTo = ""): Promise<PageSeen> {
  const page = await user.get(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
  return user.submit(page, { email, password: PASSWORD });
}

/** The path in the link of the last mail to somebody. */
export function lastLink({ outbox }: TestService, email: string): string {
  const text = outbox.findLast(({ to }) => to === email)?.text ?? "";
  const path = /http:\/\/beckon\.test(\/[\w/-]+\?link=\S+)/.exec(text)?.[1];
  if (!path) throw new Error(`no link in ${JSON.stringify(text)}`);
  return path;
}
