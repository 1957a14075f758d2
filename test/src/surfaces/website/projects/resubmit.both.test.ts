import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const formIn = ({ forms }: PageSeen) => forms.find(({ action }) => action.endsWith("/resubmit"));

test("303: a reason leads to a form that sends its URLs again, for at most the price on its button", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, [...pages(3, "never"), ...pages(2, "soft_404")]);
  const path = `/dashboard/projects/${id}`;
  expect((await user.get(path)).html).not.toContain("/resubmit");
  const checker = testChecker(service);
  for (let day = 0; day < 15; day++) {
    await checker.until(service.clock.service() + DAY);
    // Whoever comes every day stays signed in.
    await user.get(path);
  }
  const result = await user.get(path);
  const address = `${path}/resubmit?reason=no_match`;
  expect(result.html).toContain(`href="${address}"`);
  const page = await user.get(address);
  expect(page.text).toContain("No search of Google found the page.");
  expect(page.text).toContain("Send 3 URLs for 3 credits");
  const { action, fields } = formIn(page)!;
  const cheaper = fields.map(([name, value]) => [name, name === "agreed" ? "2" : value] as const);
  expect((await user.post(action, cheaper)).location).toBe(`${address}&done=price`);
  expect((await user.get(`${address}&done=price`)).text).toContain("Nothing was spent: the price is new.");
  const { location } = await user.post(action, fields);
  const made = await user.get(location!);
  expect(made.text).toContain(`Submits again what ${id} left`);
  expect(made.text).toContain("3 URLs submitted");
  const left = await user.get(address);
  expect([formIn(left), left.text.includes("There is nothing to send")]).toEqual([undefined, true]);
  // Without a reason, or with one that nobody knows, it is about everything.
  for (const query of ["", "?reason=%3Cb%3E"])
    expect((await user.get(`${path}/resubmit${query}`)).text).toContain("Send 2 URLs for 2 credits");
});

test("404: the project of another account", async () => {
  const [mine, other] = [await signedIn(service), await signedIn(service)];
  const id = await projectOf(service, other.accountId, pages(1));
  for (const path of ["resubmit", "edit", "urls.csv"])
    expect((await mine.user.get(`/dashboard/projects/${id}/${path}`)).status).toBe(404);
});
