import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "completed";
  readonly counts: Readonly<Record<"total" | "waiting" | "checking" | "indexed" | "not_indexed" | "failed", number>>;
  readonly credits_spent: number;
  readonly credits_returned: number;
}

/** Calls the service's tools, as an agent would: over MCP and HTTP. */
export async function connectAgent(address: string, key: string) {
  const client = new Client({ name: "beckon-demo", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }));
  const use = async <T>(name: string, input: Record<string, unknown>): Promise<T> => {
    const result = await client.callTool({ name, arguments: input });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent as T;
  };
  return {
    estimate: (urls: readonly string[]) => use<{ credits: number; enough: boolean }>("estimate_cost", { urls }),
    submit: (urls: readonly string[], name: string) =>
      use<{ project: Project }>("submit_urls", { urls, name, idempotency_key: name }),
    project: (project_id: string) => use<Project>("get_project", { project_id }),
    account: () => use<{ credits: number }>("get_account", {}),
    close: () => client.close(),
  };
}
