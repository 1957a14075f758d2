import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Call, call, type Services } from "../../../src/contract/call.ts";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { linkId } from "../../../src/platform/ids.ts";
import type { Principal } from "../../../src/platform/principal.ts";
import { operations } from "../../../tools/index.ts";
import { keyPrincipal } from "../../support/database/key-principal.ts";
import { pages, type TestStore, testStore } from "../../support/database/store.ts";

const config = readConfig({ SITE_URL: "http://beckon.test" });
let store: TestStore;
let services: Services;
let principal: Principal;
beforeAll(async () => {
  store = await testStore();
  const { db, clock } = store;
  services = { db, clock, config, http: createHttpClient(config), payments: NO_PAYMENTS };
  principal = await keyPrincipal(db, await store.account(1_000));
});
afterAll(() => store.close());

function callOf(name: string, input: object): Call {
  const operation = operations.find((one) => one.name === name)!;
  return { operation, input, audience: "program", principal, requestsToday: 1 };
}

test("law: the reads that are asked most are over without a promise on SQLite, and awaited on PostgreSQL", async () => {
  const { text } = await call(services, callOf("submit_urls", { urls: pages(3, "never") }));
  const project_id = JSON.parse(text).project.id as string;
  const inputs = {
    get_account: {},
    get_project: { project_id },
    list_projects: {},
    list_links: { project_id },
    get_link: { project_id, link_id: linkId(project_id, 1) },
  };
  for (const [name, input] of Object.entries(inputs)) {
    const answer = call(services, callOf(name, input));
    expect(answer instanceof Promise, name).toBe(store.db.dialect === "pg");
    expect(JSON.parse((await answer).text), name).toEqual(expect.any(Object));
  }
  expect(call(services, callOf("get_pricing", {}))).not.toBeInstanceOf(Promise);
});

test("law: the tag of an answer and the answer are of one reading of the project", async () => {
  const { text } = await call(services, callOf("submit_urls", { urls: pages(2, "never") }));
  const project_id = JSON.parse(text).project.id as string;
  const prepared = vi.spyOn(store.db, "prepared");
  onTestFinished(() => prepared.mockRestore());
  const inputs = { list_links: {}, get_link: { link_id: linkId(project_id, 1) }, get_report: {} };
  for (const [name, input] of Object.entries(inputs)) {
    prepared.mockClear();
    const answer = await call(services, { ...callOf(name, { project_id, ...input }), ifNoneMatch: () => false });
    expect([answer.text.length > 100, answer.tag], name).toEqual([true, expect.any(String)]);
    expect(prepared.mock.calls.filter(([query]) => query === "project")).toHaveLength(1);
  }
});
