import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function a2aQuickstart(config: Config): Document {
  const { siteUrl } = config;
  return {
    path: "/docs/quickstart/a2a",
    title: "A2A clients",
    summary: "Call Beckon as an A2A agent: over JSON-RPC, over HTTP+JSON, or with the SDK.",
    section: "Get started",
    markdown: page(
      "# A2A clients",
      `Beckon is an A2A 1.0 agent at \`${siteUrl}/a2a\`. Its card is at \`${siteUrl}/.well-known/agent-card.json\`. A message
names a skill, either in a data part, \`{"skill", "input"}\`, or by a text command.`,
      keyAdvice(config),
      `Give every message its own \`messageId\`; the commands below create a new one each time. If you send the same message
again, you get the first answer, and nothing is done twice. A different message with the same id is refused.`,
      "## JSON-RPC",
      fenced(
        "sh",
        `curl ${siteUrl}/a2a \\
  -H "Authorization: Bearer $BECKON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "A2A-Version: 1.0" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"'$(date +%s)-$RANDOM'","role":"ROLE_USER","parts":[{"data":{"skill":"get_account","input":{}}}]}}}'`,
      ),
      "## HTTP+JSON",
      "The same call, as a text command:",
      fenced(
        "sh",
        `curl ${siteUrl}/a2a/message:send \\
  -H "Authorization: Bearer $BECKON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "A2A-Version: 1.0" \\
  -d '{"message":{"messageId":"'$(date +%s)-$RANDOM'","role":"ROLE_USER","parts":[{"text":"balance"}]}}'`,
      ),
      "## The SDK for JavaScript",
      fenced("js", sdkExample(siteUrl)),
      "Send a credential in a header; the card lists the accepted ones.",
      "[Everything the agent can do](/docs/a2a)",
      "## Next steps",
      NEXT_STEPS,
    ),
  };
}

function sdkExample(siteUrl: string): string {
  // One string per line, so that tools do not take the imports for those of this file.
  return [
    "// npm install @a2a-js/sdk",
    'import { SendMessageRequest } from "@a2a-js/sdk";',
    'import { ClientFactory } from "@a2a-js/sdk/client";',
    "",
    `const client = await new ClientFactory().createFromUrl("${siteUrl}");`,
    "const request = SendMessageRequest.fromJSON({",
    "  message: {",
    "    messageId: crypto.randomUUID(),",
    '    role: "ROLE_USER",',
    '    parts: [{ data: { skill: "submit_urls", input: { urls: ["https://example.com/"] } } }],',
    "  },",
    "});",
    `const headers = { Authorization: \`Bearer \${process.env.BECKON_API_KEY}\` };`,
    "const task = await client.sendMessage(request, { serviceParameters: headers });",
    "console.log(JSON.stringify(task, null, 2));",
  ].join("\n");
}
