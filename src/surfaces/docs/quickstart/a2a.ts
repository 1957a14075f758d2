import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function a2aQuickstart(config: Config): Document {
  const { siteUrl } = config;
  return {
    path: "/docs/quickstart/a2a",
    title: "A2A clients",
    summary: "Talk to Beckon as an agent: by the SDK, by JSON-RPC, by HTTP+JSON.",
    section: "Begin",
    markdown: page(
      "# A2A clients",
      `Beckon is an agent of A2A 1.0 at \`${siteUrl}/a2a\`; its card is at \`${siteUrl}/.well-known/agent-card.json\`. A skill is
named in a part with data, \`{"skill", "input"}\`, or by a line of text.`,
      keyAdvice(config),
      `Every message needs a \`messageId\` of its own, as the lines below make one each time. The same message sent again gets
the first answer, and nothing is done twice; another message with an id that was used is refused.`,
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
      "The same, as a line of text:",
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
      "A credential has to go along as a header; the card says which are taken.",
      "[Everything the agent does](/docs/a2a)",
      "## Then",
      NEXT_STEPS,
    ),
  };
}

function sdkExample(siteUrl: string): string {
  // A line of its own each, so that nobody takes the imports for ours.
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
