import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { hostedCardProcessor, openPaymentPage, pressButton } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { type PageSeen, signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { clock } = service;
afterAll(() => service.close());

async function newOrder() {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  const order = `?order=${orderId}`;
  return {
    path,
    orderId,
    user,
    press: (act: string) => pressButton(user, path, act),
    done: () => user.get(`/checkout/done${order}`),
    cancelled: () => user.get(`/checkout/cancelled${order}`),
  };
}

test("200 done, paid: thanks, the balance, and the next steps", async () => {
  const { press, done, orderId } = await newOrder();
  await press("pay");
  const page = await done();
  expect(page.text).toContain("Thank you: 500 credits added to your balance");
  expect(page.text).toContain("Your balance is 500 credits");
  expect(page.html).toContain('<a href="/dashboard/keys">Create an API key</a>');
  expect(page.text).toContain("curl http://beckon.test/api/v1/projects");
  expect(page.text).toContain("claude mcp add --transport http beckon http://beckon.test/mcp");
  expect(page.html).toContain(`<a href="/dashboard/orders/${orderId}">`);
});

test("200 done, not confirmed yet: links to reload and to the payment page", async () => {
  const { done, orderId, path } = await newOrder();
  const page = await done();
  expect(page.text).toContain("Waiting for the confirmation of your payment");
  expect(page.html).toContain(`<a href="/checkout/done?order=${orderId}">Reload this page</a>`);
  expect(page.html).toContain(`<a href="${path}">continue to payment</a>`);
});

test("200 done, paid later: processing, and in the sandbox a link to where it is decided", async () => {
  const { done, press, path } = await newOrder();
  await press("pay_later");
  const page = await done();
  expect(page.text).toContain("Your payment is being processed");
  expect(page.text).toContain("Reload this page");
  expect(page.html).toContain(`<a href="${path}">let the transfer arrive or fail</a>`);
  await press("arrive");
  expect((await done()).text).toContain("500 credits added to your balance");
});

test.each([
  [["decline"], "The payment failed", true],
  [["pay_later", "bounce"], "The payment failed", true],
  [["pay", "refund"], "This order was refunded", false],
  [["pay", "dispute"], "This payment is disputed", false],
])("200 done after %j: %s", async (acts, title, isLedBack) => {
  const { press, done } = await newOrder();
  for (const act of acts) await press(act);
  const page = await done();
  expect(page.html).toContain(`<h1>${title}</h1>`);
  expect(page.html.includes('<a href="/dashboard/buy?pack=pro">Try again</a>')).toBe(isLedBack);
  expect(page.text).not.toContain("Thank you");
});

test("200 done, expired: not paid", async () => {
  const { done, user } = await newOrder();
  clock.pass(DAY);
  const page = await done();
  expect(page.text).toContain("This order has expired");
  expect((await user.get("/dashboard/buy")).text).not.toContain("Continue to payment");
});

test("200 cancelled: nothing was charged, and the order can still be paid", async () => {
  const { cancelled, path } = await newOrder();
  const page = await cancelled();
  expect(page.text).toContain("Nothing was charged. You can still pay for Pro, 500 credits for $29.99, until");
  expect(page.html).toContain(`<a href="${path}">Continue to payment</a>`);
  expect(page.html).toContain('<a href="/dashboard/buy">Choose another pack</a>');
});

test("303 cancelled, but paid, processing or failed: to the page that shows that", async () => {
  for (const act of ["pay", "pay_later", "decline"]) {
    const { press, cancelled, orderId } = await newOrder();
    await press(act);
    expect((await cancelled()).location).toBe(`/checkout/done?order=${orderId}`);
  }
});

/** Everything by which two pages could differ, without the address of the request. */
const visible = ({ status, text, html }: PageSeen) => [status, text, html.replace(/return_to=[^"]*/g, "")];

test.each(["/checkout/done", "/checkout/cancelled"])(
  "200 %s for everybody else: the same page for every order, and for none",
  async (path) => {
    const paid = await newOrder();
    await paid.press("pay");
    const open = await newOrder();
    const { user: stranger } = await signedIn(service, { paid: false });
    for (const who of [new User(service), stranger]) {
      const none = await who.get(path);
      for (const id of [paid.orderId, open.orderId, "ord_unknown", "", "%3Cb%20onclick%3D%22x%22%3E"]) {
        const page = await who.get(`${path}?order=${id}`);
        expect([id, ...visible(page)]).toEqual([id, ...visible(none)]);
        expect(page.text).not.toMatch(/500|29\.99|added to your balance|ord_/);
        expect(page.html).not.toContain("<b onclick");
        expect(page.headers.get("cache-control")).toBe("no-store");
        expect(page.headers.get("x-robots-tag")).toBe("noindex");
      }
    }
  },
);

test("the page for everybody else links to a sign-in that leads back to the order", async () => {
  const { orderId } = await newOrder();
  const page = await new User(service).get(`/checkout/done?order=${orderId}`);
  expect(page.html).toContain(`href="/sign-in?return_to=${encodeURIComponent(`/checkout/done?order=${orderId}`)}"`);
});

test("400: two orders at once", async () => {
  expect((await new User(service).get("/checkout/done?order=a&order=b")).status).toBe(400);
});

test("200 cancelled on another site: links to the payment page there", async () => {
  const elsewhere = await testService({ payments: { cards: hostedCardProcessor(), direct: null } });
  const { user, accountId } = await signedIn(elsewhere, { paid: false });
  const { path, orderId } = await openPaymentPage(elsewhere, user, accountId);
  expect((await user.get(`/checkout/cancelled?order=${orderId}`)).html).toContain(
    `<a href="${path.replace("&", "&amp;")}">Continue to payment</a>`,
  );
  await elsewhere.close();
});
