import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { balanceOf, post } from "../src/domain/ledger/ledger.ts";
import type { SandboxAction } from "../src/domain/payments/cards/sandbox/payment-page.ts";
import { createDemoLink } from "../src/domain/users/demo-sign-in.ts";
import { DAY } from "../src/platform/clock.ts";
import { documentsOf } from "../src/surfaces/docs/index.ts";
import { PATHS } from "../src/surfaces/website/dashboard/paths.ts";
import { linkIn } from "./support/oauth/consent.ts";
import { StrictApp } from "./support/oauth/strict-app.ts";
import { bookDirectOrder, DIRECT, openPaymentPage, ordersOfAccount, pressButton } from "./support/payments/buy-page.ts";
import { type TestServiceOptions, testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { CUT, expectGoodLayout, SIZES } from "./support/website/layout-rules.ts";
import { signedIn, type User } from "./support/website/user.ts";

/** `SCREENSHOTS=folder npx vitest run test/pages.test.ts` also leaves pictures of every page there. */
const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

const PASSWORD = "slow heavy metal music";

/** How to get to a page: its path, or a function that navigates there. */
type Navigation = string | ((page: Page) => Promise<unknown>);

const open = (page: Page, path: string) => page.goto(new URL(path, service.url).href);

/** Fills in a form and sends it. */
async function send(page: Page, path: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await open(page, path);
  for (const [name, value] of Object.entries(fields)) await page.locator(`main input[name="${name}"]`).fill(value);
  const names = Object.keys(fields).map((name) => `:has(input[name="${name}"])`);
  await page
    .locator(`main form${names.join("")} button`)
    .first()
    .click();
  await page.waitForLoadState();
}

/** A test for each page. @param pages by the names of their screenshots */
function testPages(pages: Readonly<Record<string, Navigation>>, contextOf: () => Promise<BrowserContext>) {
  test.each(Object.entries(pages))("%s", async (name, navigation) => {
    const page = await (await contextOf()).newPage();
    await (typeof navigation === "string" ? open(page, navigation) : navigation(page));
    const isMissing = await page.getByText("There is no page at this address").isVisible();
    expect(isMissing, "a page that does not exist").toBe(name === "not-found");
    expect(await page.title(), "a page that failed").not.toMatch(/^Something failed\b/);
    await expectGoodLayout(page, name);
  });
}

async function browserOf(user?: User): Promise<BrowserContext> {
  const context = await browse({ bypassCSP: true });
  if (user) await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  return context;
}

describe("signed out", () => {
  const signUpWith = (email: string) => (page: Page) => send(page, "/sign-up", { email, password: PASSWORD });
  testPages(
    {
      home: "/",
      pricing: "/pricing",
      bot: "/bot",
      docs: "/docs",
      quickstart: "/docs/quickstart/claude",
      operations: "/docs/operations",
      operation: "/docs/operations/submit_urls",
      concepts: "/docs/concepts",
      limits: "/docs/limits",
      "self-hosting": "/docs/self-hosting",
      operating: "/docs/operating",
      auth: "/auth",
      errors: "/docs/errors",
      error: "/docs/errors/insufficient_credits",
      "not-found": "/nothing",
      components: "/components",
      "sign-in": "/sign-in?return_to=/dashboard/keys",
      "sign-in-wrong": (page) => send(page, "/sign-in", { email: "nobody@example.com", password: PASSWORD }),
      "sign-in-demo": async (page) => {
        const link = await service.db.tx((tx) => createDemoLink(tx, service.clock.now()));
        await open(page, `/sign-in/demo?link=${link}`);
      },
      "sign-in-demo-gone": "/sign-in/demo?link=gone",
      "sign-up": "/sign-up",
      "sign-up-weak": (page) => send(page, "/sign-up", { email: "weak@example.com", password: "password12" }),
      "sign-up-sent": signUpWith("sent@example.com"),
      confirm: async (page) => {
        await signUpWith("confirm@example.com")(page);
        await open(page, linkIn(service.outbox, "confirm@example.com"));
      },
      "confirm-elsewhere": async (page) => {
        await signUpWith("elsewhere@example.com")(page);
        await page.context().clearCookies();
        await open(page, linkIn(service.outbox, "elsewhere@example.com"));
      },
      "confirm-gone": "/confirm?link=gone",
      forgot: "/forgot",
      "forgot-sent": (page) => send(page, "/forgot", { email: "nobody@example.com" }),
      reset: async (page) => {
        const { email } = await signedIn(service);
        await send(page, "/forgot", { email });
        await open(page, linkIn(service.outbox, email));
      },
      "reset-gone": "/reset?link=gone",
      "sign-in-to-buy": (page) => open(page, "/dashboard/buy?pack=pro"),
      "checkout-done-stranger": "/checkout/done?order=ord_unknown",
      "checkout-cancelled-stranger": "/checkout/cancelled?order=ord_unknown",
    },
    () => browserOf(),
  );
});

test("no document has a table or a line that is cut off, on a desktop or a phone", async () => {
  const page = await (await browserOf()).newPage();
  const cut: string[] = [];
  const documents = documentsOf(service.config);
  expect(documents.length).toBeGreaterThan(60);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const { path } of documents) {
      await page.setContent(await (await fetch(new URL(path, service.url))).text());
      const found = (await page.evaluate(CUT)) as string[];
      cut.push(...found.map((text) => `${path}, ${size}: ${text}`));
    }
  }
  expect(cut).toEqual([]);
});

describe("deployments with direct payment, and without cards", () => {
  const nobody = { cards: null, direct: null };
  const seen = async (page: Page, parts: TestServiceOptions, path: string) => {
    const other = await testService({ publishUrl: true, ...parts });
    onTestFinished(() => other.close());
    const { user } = await signedIn(other, { paid: false });
    await page.context().addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: other.url }]);
    await page.goto(`${other.url}${path}`);
  };
  testPages(
    {
      "pricing-direct": (page) =>
        seen(page, { payments: nobody, config: { direct: DIRECT, cards: "none" } }, "/pricing"),
      "pricing-stripe": (page) => seen(page, { payments: nobody, config: { cards: "stripe" } }, "/pricing"),
      wallet: (page) => seen(page, { payments: nobody, config: { direct: DIRECT } }, "/docs/quickstart/wallet"),
      "buy-direct": (page) => seen(page, { payments: nobody, config: { direct: DIRECT } }, "/dashboard/buy"),
    },
    () => browserOf(),
  );
});

describe("as the owner of an account", () => {
  let owner: User;
  let project: string;
  let app: StrictApp;
  let email: string;
  const listed = Array.from(
    { length: 30 },
    (_, i) => `https://www.example.com/a/long/path/to/page-${i}?with=parameters`,
  );

  beforeAll(async () => {
    ({ user: owner, email } = await signedIn(service));
    app = await StrictApp.of(new URL(service.url));
    const { access_token: key } = await app.signIn(owner, { scope: "read index purchase" });
    for (const mode of ["standard", "instant"]) {
      const { json } = await service.request("POST", "/projects", { key, body: { urls: listed, mode } });
      project = json.project.id;
    }
    await service.request("POST", "/checks", { key, body: { urls: listed } });
  });

  async function claimAddress(): Promise<{ address: string; code: string }> {
    const response = await fetch(`${service.url}/api/agent/identity`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ type: "service_auth", login_hint: email, agent_name: "Robin's agent" }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what came, whatever it is
    const { claim } = (await response.json()) as any;
    return { address: claim.verification_uri, code: claim.user_code };
  }

  async function typeCode(page: Page, change: (code: string) => string): Promise<void> {
    const { address, code } = await claimAddress();
    await open(page, address);
    await page.locator("input.code").fill(change(code));
    await page.getByRole("button", { name: /allow/i }).click();
    await page.waitForLoadState();
  }

  testPages(
    {
      dashboard: "/dashboard",
      projects: "/dashboard/projects",
      "projects-searched": "/dashboard/projects?search=example&sort=-rate&kind=index",
      "projects-nothing-found": "/dashboard/projects?search=nowhere",
      project: (page) => open(page, `/dashboard/projects/${project}`),
      "project-links-searched": (page) => open(page, `/dashboard/projects/${project}?search=page-1&sort=-url`),
      link: (page) => open(page, `/dashboard/projects/${project}/links/lnk_${project.slice(4)}_0`),
      "new-project": PATHS.newProject,
      "new-project-check": `${PATHS.newProject}?kind=check`,
      "new-project-counting": async (page) => {
        await open(page, PATHS.newProject);
        await page.getByLabel("URLs, one per line").fill("https://example.com/new\nnot a URL\n");
        await page.getByRole("button", { name: "Submit 1 URL for 1 credit" }).waitFor();
      },
      "new-project-counted": async (page) => {
        await open(page, PATHS.newProject);
        await page
          .getByLabel("URLs, one per line")
          .fill(`${listed.slice(0, 5).join("\n")}\nhttps://example.com/new\nnot a URL\n`);
        await page.getByRole("button", { name: "Submit 6 URLs for 6 credits" }).click();
        await page.getByText("You have submitted 5 of these").waitFor();
      },
      "new-project-wrong": async (page) => {
        await open(page, PATHS.newProject);
        await page.getByLabel("URLs, one per line").fill("not a URL");
        await page.getByRole("button", { name: "Count and show the price" }).click();
        await page.getByText("No line is a whole URL").waitFor();
      },
      "sites-added": (page) => send(page, PATHS.sites, { host: "www.example.com" }),
      keys: "/dashboard/keys",
      "key-made": (page) => send(page, "/dashboard/keys", { name: "A script of mine" }),
      "keys-with-one": "/dashboard/keys",
      apps: "/dashboard/apps",
      security: "/dashboard/security",
      "sign-in-again": "/sign-in?return_to=/dashboard/keys&again=1",
      consent: async (page) => open(page, `${(await app.request({ scope: "read index purchase" })).address}`),
      "consent-refused": "/oauth/authorize?client_id=unknown",
      claim: async (page) => open(page, (await claimAddress()).address),
      "claim-wrong-code": (page) => typeCode(page, (code) => (code === "222222" ? "333333" : "222222")),
      "claim-done": (page) => typeCode(page, (code) => code),
      "claim-gone": "/claim?attempt=gone",
    },
    () => browserOf(owner),
  );
});

describe("as somebody who pays", () => {
  let payer: User;
  let account: string;
  beforeAll(async () => {
    ({ user: payer, accountId: account } = await signedIn(service, { paid: false }));
  });

  /** Opens the payment page of a new order after these actions. @returns the id of the order */
  async function payment(page: Page, ...acts: SandboxAction[]): Promise<string> {
    const { path, orderId } = await openPaymentPage(service, payer, account, "premium");
    for (const act of acts) await pressButton(payer, path, act);
    await open(page, path);
    return orderId;
  }

  /** Opens the page that the payer is redirected to after these actions. */
  async function outcome(page: Page, leaving: "done" | "cancelled", ...acts: SandboxAction[]): Promise<void> {
    await open(page, `/checkout/${leaving}?order=${await payment(page, ...acts)}`);
  }

  testPages(
    {
      buy: "/dashboard/buy",
      "buy-chosen": "/dashboard/buy?pack=agency",
      "sandbox-pay": (page) => payment(page),
      "buy-begun": "/dashboard/buy",
      "sandbox-declined": async (page) => {
        await payment(page);
        await page.getByRole("button", { name: /decline/i }).click();
        await page.waitForLoadState();
      },
      "sandbox-awaited": (page) => payment(page, "pay_later"),
      "sandbox-bounced": (page) => payment(page, "pay_later", "bounce"),
      "sandbox-paid": (page) => payment(page, "pay"),
      "sandbox-refunded": (page) => payment(page, "pay", "refund"),
      "sandbox-disputed": (page) => payment(page, "pay", "dispute"),
      "sandbox-out-of-turn": async (page) => {
        const { path } = await openPaymentPage(service, payer, account, "premium");
        await open(page, path);
        await pressButton(payer, path, "decline");
        await page.getByRole("button", { name: /later/i }).click();
        await page.waitForLoadState();
      },
      "checkout-done": (page) => outcome(page, "done", "pay"),
      "checkout-waiting": (page) => outcome(page, "done"),
      "checkout-awaited": (page) => outcome(page, "done", "pay_later"),
      "checkout-failed": (page) => outcome(page, "done", "decline"),
      "checkout-disputed": (page) => outcome(page, "done", "pay", "dispute"),
      "checkout-cancelled": (page) => outcome(page, "cancelled"),
      orders: "/dashboard/orders",
      order: async (page) => {
        const [order] = await ordersOfAccount(service, account);
        await open(page, `/dashboard/orders/${order!.id}`);
      },
      "order-direct": async (page) => open(page, `/dashboard/orders/${await bookDirectOrder(service, account)}`),
      "orders-direct": "/dashboard/orders",
      ledger: "/dashboard/ledger",
      credits: "/dashboard/credits",
      "dashboard-below-zero": async (page) => {
        const balance = await balanceOf(service.db, account);
        const entry = {
          accountId: account,
          kind: "adjustment",
          source: "test",
          description: "Credits taken back for a refund",
        } as const;
        const { clock } = service;
        await service.db.tx((tx) => post(tx, { ...entry, credits: -balance - 30, now: clock.now() }));
        await open(page, "/dashboard");
      },
      "sandbox-over": async (page) => {
        const { path } = await openPaymentPage(service, payer, account, "basic");
        service.clock.pass(DAY);
        await open(page, path);
      },
      "checkout-over": async (page) => {
        const [order] = await ordersOfAccount(service, account);
        await open(page, `/checkout/done?order=${order!.id}`);
      },
      "buy-over-limit": async (page) => {
        for (let n = 0; n < 20; n++)
          await pressButton(payer, (await openPaymentPage(service, payer, account)).path, "decline");
        await open(page, "/dashboard/buy");
        await page.getByRole("button", { name: "Buy Pro" }).click();
        await page.waitForLoadState();
      },
    },
    () => browserOf(payer),
  );
});

describe("as somebody new", () => {
  let newcomer: User;
  beforeAll(async () => {
    ({ user: newcomer } = await signedIn(service, { paid: false, verified: false }));
  });
  testPages(Object.fromEntries(Object.entries(PATHS).map(([name, path]) => [`new-${name}`, path])), () =>
    browserOf(newcomer),
  );
});

test.each([
  ["words too pale to read", '<p style="color:#ccc;background:#fff">Pale</p>', /color-contrast/],
  ["a field without a name", "<input>", /label/],
  ["a table that is cut off", `<div class="wide"><table style="width:1300px"><tr><td>x</table></div>`, /cut off/],
  ["what is wider than a phone", '<p style="width:1000px">Wide</p>', /phone: expected 1008 to be 390/],
])("a planted fault is found: %s", async (_, fault, found) => {
  const page = await (await browserOf()).newPage();
  await page.setContent(
    `<!doctype html><html lang="en"><title>Planted</title><body class="docs"><main style="min-width:0"><style>.wide{overflow-x:auto}</style><h1>Planted</h1>${fault}</main>`,
  );
  await expect(expectGoodLayout(page, "planted")).rejects.toThrow(found);
});
