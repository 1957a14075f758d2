import { randomUUID } from "node:crypto";
import { type AgentCard, Message } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { register, type SignedIn } from "./rest.ts";
import type { Explorer } from "./world.ts";

/**
 * By A2A: the SDK's client reads the agent card at the origin; skills are found by their words, and a challenge leads
 * to where an agent registers.
 */
export async function a2aExplorer(origin: string): Promise<Explorer> {
  let signedIn: SignedIn | null = null;
  let challenged: Headers | null = null;
  const fetchImpl: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers);
    if (signedIn) headers.set("Authorization", `Bearer ${signedIn.token}`);
    const response = await fetch(address, { ...init, headers });
    if (response.status === 401) challenged = response.headers;
    return response;
  };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
    }),
  );
  const client = await factory.createFromUrl(origin);
  const card: AgentCard = await client.getAgentCard();

  // biome-ignore lint/suspicious/noExplicitAny: what a skill answers, whatever it is
  async function call(words: RegExp, input: Record<string, unknown>): Promise<any> {
    const skill = card.skills.find(({ name }) => words.test(name))!;
    const message = Message.fromJSON({
      messageId: randomUUID(),
      role: "ROLE_USER",
      parts: [{ data: { skill: skill.id, input } }],
    });
    const task = await client.sendMessage({ tenant: "", message, configuration: undefined, metadata: undefined });
    const [part] = "artifacts" in task ? (task.artifacts[0]?.parts ?? []) : [];
    if (part?.content?.$case !== "data") throw new Error(JSON.stringify(task));
    return part.content.value;
  }

  return {
    estimate: (urls) => call(/^estimate/i, { urls }),
    async signIn(allow) {
      await call(/read the account/i, {}).catch(() => undefined);
      if (!challenged) throw new Error("nobody was asked to sign in");
      signedIn = await register(challenged, allow);
    },
    buy: async () => (await call(/credits by card/i, { pack: "basic" })).checkout_url,
    submit: async (urls) => (await call(/^submit urls/i, { urls })).project.id,
    async outcome(projectId) {
      await signedIn!.renew();
      return call(/^read a project/i, { project_id: projectId });
    },
    close: async () => undefined,
  };
}
