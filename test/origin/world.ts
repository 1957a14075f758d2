import { afterAll } from "vitest";
import { DAY } from "../../src/platform/clock.ts";
import { signUp } from "../support/oauth/consent.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";
import { Person } from "../support/website/user.ts";

/** What an agent wants done, in words of no interface; one file implements it for each protocol. */
export interface Explorer {
  /** What a list would cost; without a credential. */
  estimate(urls: readonly string[]): Promise<{ credits: number }>;
  /** Gets a credential of the person whose address it knows; `allow` is what that person does when shown something. */
  signIn(allow: Allow): Promise<void>;
  /** @returns the address that its person has to open to pay */
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

/** What a person is shown, and does: opens a link and types a code, or consents where the browser was sent. */
export interface Allow {
  readonly email: string;
  claim(shown: { link: string; code: string }): Promise<void>;
  consent(address: URL): Promise<URL>;
}

export const URLS = ["https://example.com/there?sandbox=day_4", "https://example.com/never?sandbox=never"];

/** A service that knows nobody, and a person who has just signed up there. */
export async function world() {
  const service = await testService({ atHome: true });
  afterAll(() => service.close());
  const checker = testChecker(service);
  const person = new Person(service);
  const email = "person@example.com";
  await signUp(person, service.outbox, { email });
  return {
    /** All that an agent is told. */
    origin: service.url,
    person,
    email,
    /** The person pays at the page that the agent showed. */
    async pay(address: string): Promise<void> {
      const page = await person.get(address);
      const form = page.forms.find(({ buttons }) => buttons.includes("act=pay"));
      if (!form) throw new Error(`${page.status}: nothing to pay with: ${page.text}`);
      await person.post(form.action, [...form.fields, ["act", "pay"]]);
    },
    /** Until after the last look. */
    sixteenDays: () => checker.until(service.clock.service() + 16 * DAY),
  };
}
