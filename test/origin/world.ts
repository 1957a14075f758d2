import { afterAll } from "vitest";
import { DAY } from "../../src/platform/clock.ts";
import { signUp } from "../support/oauth/consent.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";
import { User } from "../support/website/user.ts";

/** What an agent wants done, in words of no interface; one file implements it for each protocol. */
export interface Explorer {
  /** What a list would cost; without a credential. */
  estimate(urls: readonly string[]): Promise<{ credits: number }>;
  /** Gets a credential of the user whose address it knows; `allow` is what that user does when shown something. */
  signIn(allow: Allow): Promise<void>;
  /** @returns the address that its user has to open to pay */
  buy(): Promise<string>;
  /** @returns the project's id */
  submit(urls: readonly string[]): Promise<string>;
  outcome(projectId: string): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly status: string;
  readonly counts: { readonly indexed: number; readonly not_indexed: number };
  readonly credits_returned: number;
}

/** What a user is shown, and does: opens a link and types a code, or consents where the browser was sent. */
export interface Allow {
  readonly email: string;
  claim(shown: { link: string; code: string }): Promise<void>;
  consent(address: URL): Promise<URL>;
}

export const URLS = ["https://example.com/there?sandbox=day_4", "https://example.com/never?sandbox=never"];

/** A service that knows nobody, and a user who has just signed up there. */
export async function world() {
  const service = await testService({ publishUrl: true });
  afterAll(() => service.close());
  const checker = testChecker(service);
  const user = new User(service);
  const email = "person@example.com";
  await signUp(user, service.outbox, { email });
  return {
    /** All that an agent is told. */
    origin: service.url,
    user,
    email,
    /** The user pays at the page that the agent showed. */
    async pay(address: string): Promise<void> {
      const page = await user.get(address);
      const form = page.forms.find(({ buttons }) => buttons.includes("act=pay"));
      if (!form) throw new Error(`${page.status}: nothing to pay with: ${page.text}`);
      await user.post(form.action, [...form.fields, ["act", "pay"]]);
    },
    /** Until after the last look. */
    sixteenDays: () => checker.until(service.clock.service() + 16 * DAY),
  };
}
