import { and, eq, exists, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Preparable, Reader } from "../../../db/engine.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import { testStore } from "../../support/database/store.ts";

test("law: a prepared query returns what drizzle returns for it: words, booleans, bytes, nulls, joins and expressions", async () => {
  const store = await testStore();
  const { db } = store;
  const accountId = await store.account(10);
  const now = store.clock.now();
  const draft = {
    kind: "index",
    mode: "standard",
    bing: true,
    yandex: false,
    dripDays: 2,
    name: 'a "name", ü',
  } as const;
  const urls = ["https://example.com/a", "https://example.com/b"];
  await db.tx((tx) => createProject(tx, { ...draft, accountId, urls: packUrls(urls), now, service: now }));
  type Build = (one: Pick<Reader, "q" | "t">) => Preparable<unknown> & PromiseLike<unknown[]>;
  const { placeholder } = sql;
  const queries: Readonly<Record<string, [values: Record<string, unknown>, build: Build, plain: Build]>> = {
    projects: both({ account: accountId }, ({ q, t: { projects } }, value) =>
      q
        .select()
        .from(projects)
        .where(eq(projects.accountId, value("account")))
        .limit(value("most")),
    ),
    links: both({ url: urls[1] }, ({ q, t: { links } }, value) =>
      q
        .select()
        .from(links)
        .where(and(eq(links.state, "waiting"), eq(links.url, value("url")))),
    ),
    steps: both({}, ({ q, t: { steps } }, value) =>
      q
        .select()
        .from(steps)
        .where(and(eq(steps.lane, "bing"), eq(steps.size, value("size")))),
    ),
    join: both({ account: accountId }, ({ q, t: { accounts, usage, orders } }, value) =>
      q
        .select({
          name: accounts.name,
          paid: exists(q.select().from(orders)),
          day: usage.day,
          count: sql<number>`count(*)`.mapWith(Number),
          text: sql`'7'`.mapWith(Number).as("text"),
        })
        .from(accounts)
        .leftJoin(usage, and(eq(usage.accountId, accounts.id), eq(usage.day, value("most"))))
        .where(eq(accounts.id, value("account"))),
    ),
  };
  for (const [name, [values, build, plain]] of Object.entries(queries)) {
    const expected = await plain(db);
    expect(expected.length, name).toBeGreaterThan(0);
    for (let run = 0; run < 2; run++) expect(await db.prepared(name, build).execute(values), name).toEqual(expected);
  }
  await store.close();

  /** The query with placeholders, and with the values in their places. */
  function both(
    given: Record<string, unknown>,
    // biome-ignore lint/suspicious/noExplicitAny: placeholders stand for values of any type
    query: (one: Pick<Reader, "q" | "t">, value: (name: string) => any) => unknown,
  ): [Record<string, unknown>, Build, Build] {
    const values = { most: 5, size: 1, ...given };
    return [
      values,
      (one) => query(one, placeholder) as ReturnType<Build>,
      (one) => query(one, (name) => values[name as keyof typeof values]) as ReturnType<Build>,
    ];
  }
});
