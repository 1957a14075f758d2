import type { Page } from "playwright-core";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { nameServer } from "../../network/raw-server.ts";
import { StrictApp } from "../../oauth/strict-app.ts";
import { type TestService, testService } from "../../service/service.ts";
import { giveFactors, showFactorIn } from "../factors.ts";
import { signedIn, type User } from "../user.ts";
import { type ExampleAccount, exampleAccount } from "./example-account.ts";
import { type ExampleTexts, USUAL_TEXTS } from "./example-texts.ts";

/** Who looks at a page: nobody who is signed in, the owner of the example account, a user who pays, one with a passkey and an app, or a new user. */
export type Visitor = "nobody" | "owner" | "payer" | "guarded" | "newcomer";

/** What listed pages show. */
export interface PageFixtures {
  readonly service: TestService;
  readonly owner: ExampleAccount;
  /** An app that is not connected to the account of the owner. */
  readonly app: StrictApp;
  readonly payer: { readonly user: User; readonly accountId: string };
  /** Has shown a factor just now. */
  readonly guarded: { readonly user: User; readonly accountId: string; readonly email: string };
  readonly newcomer: { readonly user: User };
}

/** A visit of a listed page, in a browser in which its visitor is signed in. */
export interface PageVisit extends PageFixtures {
  readonly page: Page;
  open(path: string): Promise<unknown>;
  /** Opens a page, fills in a form and sends it. */
  send(path: string, fields: Readonly<Record<string, string>>): Promise<void>;
}

export interface ListedPage {
  /** The name of its screenshots. */
  readonly name: string;
  readonly visitor: Visitor;
  /** The route that answers it, as Express has it. A document has none. */
  readonly route: string;
  /** Its path, or how to get there. */
  readonly navigation: string | ((visit: PageVisit) => Promise<unknown>);
}

/** A route, and the way to the page if that is not the path of the route. */
export type PageEntry = readonly [route: string, navigation?: ListedPage["navigation"]];

export function listed(visitor: Visitor, entries: Readonly<Record<string, PageEntry>>): readonly ListedPage[] {
  return Object.entries(entries).map(([name, [route, navigation = route]]) => ({ name, visitor, route, navigation }));
}

/** A host whose pages strangers try. */
export const TRIED_HOST = "www.shop.example";

/** A sandbox whose clock can be moved forward by its pages. */
export async function pageService(): Promise<TestService> {
  const advanceClock = async (at: number) => service.clock.pass(0, at - service.clock.service());
  const { resolve } = nameServer({ [TRIED_HOST]: [["127.0.0.1"]] });
  const service = await testService({ publishUrl: true, advanceClock, httpOverrides: { resolve } });
  return service;
}

/** Opens the accounts whose pages are listed. */
export async function pageFixtures(service: TestService, texts: ExampleTexts = USUAL_TEXTS): Promise<PageFixtures> {
  const email =
    texts === USUAL_TEXTS ? "ann@example.com" : `${"long.name.".repeat(5)}x@${"subdomain.".repeat(8)}example.com`;
  const owner = await exampleAccount(service, email, texts);
  const [payer, guarded, newcomer] = [
    await signedIn(service, { email: `payer.of.${email}`, paid: false }),
    await signedIn(service, { email: `guarded.${email}` }),
    await signedIn(service, { email: `new.${email}`, paid: false, verified: false }),
  ];
  await giveFactors(service, secretBoxOf(service.config), guarded.accountId);
  await showFactorIn(service, guarded.accountId);
  const app = await StrictApp.of(new URL(service.url), undefined, texts.name("Search console helper"));
  return { service, owner, app, payer, guarded, newcomer };
}

/** The session cookie of a visitor. */
export function cookieOf(
  fixtures: PageFixtures,
  visitor: Visitor,
): { name: string; value: string; url: string } | null {
  if (visitor === "nobody") return null;
  return { name: "sid", value: fixtures[visitor].user.cookies.get("sid")!, url: fixtures.service.url };
}

/** Leads a browser to a listed page. Its context has the cookie of the visitor. */
export async function visit(fixtures: PageFixtures, page: Page, { navigation }: ListedPage): Promise<void> {
  const open = (path: string) => page.goto(new URL(path, fixtures.service.url).href);
  const send: PageVisit["send"] = async (path, fields) => {
    await open(path);
    const field = (name: string) => `input[name="${name}"]:not([type="hidden"])`;
    for (const [name, value] of Object.entries(fields)) await page.locator(`main ${field(name)}`).fill(value);
    const names = Object.keys(fields).map((name) => `:has(${field(name)})`);
    await page
      .locator(`main form${names.join("")} button`)
      .first()
      .click();
    await page.waitForLoadState();
  };
  await (typeof navigation === "string" ? open(navigation) : navigation({ ...fixtures, page, open, send }));
}
