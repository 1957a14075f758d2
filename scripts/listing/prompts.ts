/** A prompt by which a reviewer tries the service, and what comes of it. */
export interface TestPrompt {
  readonly description: string;
  readonly prompt: string;
  /** The tools that it calls, in order; empty if it must call none. */
  readonly tools: readonly string[];
  readonly expected: string;
}

/** For an account of the sandbox, where every URL has a fate and a day can take seconds: nothing is sent to a search engine. */
export const TEST_PROMPTS: readonly TestPrompt[] = [
  {
    description: "Count the pages of a sitemap before anything is spent.",
    prompt: "How many pages are in https://example.com/sitemap.xml, and how many of them have I not submitted yet?",
    tools: ["read_sitemap"],
    expected: "The number of pages and of those not submitted before. Nothing is spent.",
  },
  {
    description: "Submit pages with prepaid credits.",
    prompt: "Get https://example.com/blog/first and https://example.com/blog/second into Google and Bing.",
    tools: ["submit_urls"],
    expected: "A project with two URLs, the credits it took, and the days on which Google is asked.",
  },
  {
    description: "Say how a project goes on.",
    prompt: "How is my latest project doing?",
    tools: ["list_projects", "get_project"],
    expected:
      "Counts of URLs in Google, not in Google, waiting and not sent, shown as a view where the host has views.",
  },
  {
    description: "Explain why pages are not in Google.",
    prompt: "Why are some pages of that project not in Google, and what can I do?",
    tools: ["get_report"],
    expected: "Each reason with the number of URLs, one thing to do, and who can do it.",
  },
  {
    description: "Stop what was not sent, and return its credits.",
    prompt: "Cancel the URLs of that project that have not been sent yet.",
    tools: ["cancel_links"],
    expected: "The number of cancelled URLs and the credits that came back. A host asks its user before this call.",
  },
];

/** Requests that are near, and not what the service does. */
export const NEGATIVE_PROMPTS: readonly TestPrompt[] = [
  {
    description: "Do not write pages.",
    prompt: "Write a blog post about hiking boots that ranks in Google.",
    tools: [],
    expected: "No tool is called: the service submits and checks pages, and writes none.",
  },
  {
    description: "Do not search the web.",
    prompt: "What are the best restaurants near me?",
    tools: [],
    expected: "No tool is called: the service does not answer questions from the web.",
  },
  {
    description: "Do not advertise.",
    prompt: "Start a Google Ads campaign for my shop.",
    tools: [],
    expected: "No tool is called: the service does not work with advertisements.",
  },
];
