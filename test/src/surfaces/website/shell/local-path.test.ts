import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { HOUR } from "../../../../../src/platform/clock.ts";
import { localPath } from "../../../../../src/surfaces/website/shell/local-path.ts";
import { fuzzRuns } from "../../../../support/checks/fuzz-runs.ts";
import { testService } from "../../../../support/service/service.ts";
import { member, PASSWORD, signInAs } from "../../../../support/website/member.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));

const ELSEWHERE = [
  "https://evil.test",
  "http:evil.test",
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\\\evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  " //evil.test",
  "javascript:alert(1)",
  "data:text/html,x",
  "/a\r\nSet-Cookie: sid=x",
  "evil.test",
  "@evil.test",
  "",
  `/${"a".repeat(16_384)}`,
  "/caf\u00e9",
];
const HERE = ["/", "/claim?attempt=x", "/%2F%2Fevil.test", "/%5Cevil.test", "/%0d%0aSet-Cookie:x", "/.//evil.test"];

for (const path of ELSEWHERE) {
  test(`${JSON.stringify(path.slice(0, 40))} leads to the dashboard`, async () => {
    expect(localPath(path)).toBe("/dashboard");
    const { user } = await signedIn(service);
    const page = await user.get(`/sign-in?${new URLSearchParams({ return_to: path })}`);
    expect([page.status, page.location]).toEqual([303, "/dashboard"]);
  });
}

for (const path of HERE) {
  test(`${path} leads there, on this site`, async () => {
    const page = await signInAs(new User(service), await member(service), path);
    expect([page.status, page.location]).toEqual([303, path]);
    expect(new URL(page.location!, "https://beckon.test").origin).toBe("https://beckon.test");
    expect(page.headers.getSetCookie().map((line) => line.split("=")[0])).toEqual(["sid", "known"]);
  });
}

test("303 from a form too: no step of the sign-in redirects to another site", async () => {
  const who = await member(service);
  for (const path of ["https://evil.test", "//evil.test", "/\\evil.test"]) {
    const user = new User(service);
    const page = await user.get("/sign-in");
    const fill = { email: who.email, password: PASSWORD, return_to: path };
    expect((await user.submit(page, fill)).location).toBe("/dashboard");
  }
});

test("law: any text results in a path of this site", () => {
  const nasty = fc.constantFrom(..."/\\:@.%?#&\t\r\n\0 aé".split(""), "//", "https:", "evil.test", "%2f", "%5c");
  const text = fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((tail) => `/${tail}`),
        fc.string(),
      ),
      (path) => {
        expect(new URL(localPath(path), "https://beckon.test/sign-in").origin).toBe("https://beckon.test");
      },
    ),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});
