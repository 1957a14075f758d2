import { afterAll, beforeAll, beforeEach } from "vitest";
import { type TestService, testService } from "../service/service.ts";
import { type BindingClient, type BindingName, bindingClient } from "./binding-client.ts";
import { message, type TestA2a, testA2a } from "./test-bindings.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tests check responses of any shape
export type Any = any;

/** Parts whose task completes, waits for more input, and spends credits. */
export const DONE = { data: { skill: "get_account", input: {} } };
export const MORE_NEEDED = { data: { skill: "submit_urls", input: {} } };
export const SUBMIT = { data: { skill: "submit_urls", input: { urls: ["https://example.com/"] } } };

export function sendParams(part: object, more: object = {}) {
  return { message: message("kit", { parts: [part], ...more }) };
}

/** A service, and an agent that follows scripts, with clients over one binding; the accounts are new in each test. */
export interface BindingFixture {
  service: TestService;
  scripted: TestA2a;
  key: string;
  /** Clients of the service: with the key of one account, with the key of another, and without a credential. */
  client: BindingClient;
  otherClient: BindingClient;
  anonymousClient: BindingClient;
  /** A client of the scripted agent. */
  scriptedClient: BindingClient;
  /** @returns the task that a message with this part creates */
  taskOf(part: object): Promise<Any>;
}

export function bindingFixture(binding: BindingName): BindingFixture {
  const fixture = {} as BindingFixture;
  beforeAll(async () => {
    fixture.service = await testService();
    fixture.scripted = await testA2a();
  });
  beforeEach(async () => {
    const { service, scripted } = fixture;
    const url = `${service.url}/a2a`;
    fixture.key = (await service.account()).key;
    fixture.client = bindingClient(binding, url, fixture.key);
    fixture.otherClient = bindingClient(binding, url, (await service.account()).key);
    fixture.anonymousClient = bindingClient(binding, url);
    fixture.scriptedClient = bindingClient(binding, scripted.url, await scripted.key());
    fixture.taskOf = async (part) => (await fixture.client.call("SendMessage", sendParams(part))).result.task;
  });
  afterAll(async () => {
    await fixture.service.close();
    await fixture.scripted.close();
  });
  return fixture;
}
