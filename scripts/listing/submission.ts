import type { Tool } from "@modelcontextprotocol/client";
import { operationOf } from "../../src/surfaces/mcp/tools.ts";
import { NEGATIVE_PROMPTS, TEST_PROMPTS, type TestPrompt } from "./prompts.ts";
import type { Listing } from "./read-listing.ts";

export const APP_INFO = {
  display_name: "Beckon",
  subtitle: "Pages into search, checked",
  description:
    "Beckon submits pages to Google, Bing and Yandex, asks Google on day 4 and day 14 whether it has them, says why it has not and what to do, and returns the credits of those that it has not.",
  category: "DEVELOPER_TOOLS",
} as const;

/**
 * What OpenAI's form imports as `chatgpt-app-submission.json` (github.com/openai/plugins, skill chatgpt-app-submission): the
 * words of the listing, each tool with its hints and why they are so, and prompts for the review.
 */
export function submissionOf({ tools }: Listing) {
  return {
    $schema: "https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json",
    schema_version: 1,
    app_info: APP_INFO,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toolEntry(tool)])),
    test_cases: TEST_PROMPTS.map(testCase),
    negative_test_cases: NEGATIVE_PROMPTS.map(testCase),
  };
}

function toolEntry({ name, title, annotations }: Tool) {
  const { readOnlyHint, openWorldHint, destructiveHint } = annotations ?? {};
  const readsWeb = operationOf(name)?.readsWeb;
  return {
    annotations: { readOnlyHint, openWorldHint, destructiveHint },
    justifications: {
      read_only_justification: readOnlyHint
        ? `${title}: it only reads, and changes nothing.`
        : `${title}: it changes records of the user's own account.`,
      open_world_justification: openWorldHint
        ? readsWeb
          ? `${title}: it reads pages of the web that the user names.`
          : `${title}: what it starts reaches search engines or addresses of the user's own.`
        : `${title}: it works on the user's own account alone.`,
      destructive_justification: destructiveHint
        ? `${title}: what it spends or ends does not come back on request, so hosts ask their user first.`
        : `${title}: it deletes nothing, spends nothing and overwrites nothing that the user cannot set again.`,
    },
  };
}

function testCase({ description, prompt, tools, expected }: TestPrompt) {
  return {
    description,
    user_prompt: prompt,
    file_attachment_urls: null,
    tools_triggered: tools.length > 0 ? tools.join(", ") : null,
    expected_output: expected,
    expected_output_url: null,
  };
}
