import { afterAll, beforeAll, beforeEach } from "vitest";
import { type TestService, testService } from "../service/service.ts";
import { type BindingName, type Speaker, speaker } from "./binding-client.ts";
import { message, type TestA2a, testA2a } from "./test-bindings.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever came
export type Any = any;

/** Parts that come to a task that is done, one that waits for more, and one that spends. */
export const DONE = { data: { skill: "get_account", input: {} } };
export const MORE_NEEDED = { data: { skill: "submit_urls", input: {} } };
export const SUBMIT = { data: { skill: "submit_urls", input: { urls: ["https://example.com/"] } } };

export function saying(part: object, more: object = {}) {
  return { message: message("kit", { parts: [part], ...more }) };
}

/** Who speaks to whom over one binding; everybody is new in each test. */
export interface Stage {
  service: TestService;
  scripted: TestA2a;
  key: string;
  /** To the service: an account, another one, and nobody. */
  own: Speaker;
  other: Speaker;
  anyone: Speaker;
  /** To the agent that does what it is told. */
  told: Speaker;
  /** The task that a message of this part comes to. */
  taskOf(part: object): Promise<Any>;
}

export function a2aStage(binding: BindingName): Stage {
  const session = {} as Stage;
  beforeAll(async () => {
    session.service = await testService();
    session.scripted = await testA2a();
  });
  beforeEach(async () => {
    const { service, scripted } = session;
    const url = `${service.url}/a2a`;
    session.key = (await service.account()).key;
    session.own = speaker(binding, url, session.key);
    session.other = speaker(binding, url, (await service.account()).key);
    session.anyone = speaker(binding, url);
    session.told = speaker(binding, scripted.url, await scripted.key());
    session.taskOf = async (part) => (await session.own.say("SendMessage", saying(part))).result.task;
  });
  afterAll(async () => {
    await session.service.close();
    await session.scripted.close();
  });
  return session;
}
