import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { fenced, list, page } from "./markdown.ts";

/** How a pipeline submits what a deployment has changed. Its scripts are run by a test. */
export function deploymentsDocument({ siteUrl }: Config): Document {
  return {
    path: "/docs/deployments",
    title: "After a deployment",
    summary: "Submit what is new from a pipeline, by a GitHub Action, by curl or by the command line, within a budget.",
    section: "Guides",
    markdown: page(
      "# After a deployment",
      `Let the pipeline that publishes your site submit what is new. Give it an API key of its own with the scopes \`read\` and
\`index\`, and a limit of credits for each day: the service itself holds the limit, whatever the pipeline does. Without a pipeline,
[\`watch_sitemap\`](/docs/operations/watch_sitemap) does the same from here, once a day or once a week.`,
      "## GitHub Action",
      `The action is in the repository of Beckon: name the one that your operator has published, or a copy of yours. It submits what
is in the sitemap and was not submitted before; what the budget is too small for is left for the next run. A run that is repeated
spends nothing again.`,
      fenced(
        "yaml",
        `- uses: YOUR-OPERATOR/beckon@main
  with:
    url: ${siteUrl}
    api-key: \${{ secrets.BECKON_API_KEY }}
    sitemap: https://example.com/sitemap.xml
    budget: 50`,
      ),
      "For pages that have changed, instead of a sitemap:",
      fenced(
        "yaml",
        `- uses: actions/checkout@v4
  with:
    fetch-depth: 0
- uses: YOUR-OPERATOR/beckon@main
  with:
    url: ${siteUrl}
    api-key: \${{ secrets.BECKON_API_KEY }}
    folder: public
    site: https://example.com/
    budget: 50`,
      ),
      list([
        "The summary of the run says how many pages were found, submitted and left, what it cost, and where the project is.",
        "The outputs `project`, `submitted` and `credits` are for steps that follow.",
      ]),
      "## curl",
      `In any other pipeline. It asks for the price first, and submits nothing if that is above the budget. \`COMMIT\` names the
deployment, so that a step which is repeated spends nothing again.`,
      fenced("sh", curlScript(siteUrl)),
      "## The command line",
      "The same with [the client](/docs/install#terminal), which repeats what has failed for a moment:",
      fenced(
        "sh",
        `export BECKON_URL=${siteUrl}
beckon submit --sitemap https://example.com/sitemap.xml --only-new --max-credits 50`,
      ),
    ),
  };
}

function curlScript(siteUrl: string): string {
  return `set -eu
SITEMAP=https://example.com/sitemap.xml
BUDGET=50
beckon() {
  curl -fsS --retry 3 "${siteUrl}/api/v1/$1" \\
    -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: deployment-$COMMIT" -d "$2"
}
FOUND=$(beckon sitemaps/read '{"sitemap_url":"'$SITEMAP'","skip_already_submitted":true,"limit":0}')
CREDITS=$(printf %s "$FOUND" | sed 's/.*"credits":{"standard":\\([0-9]*\\).*/\\1/')
echo "New pages cost $CREDITS credits."
if [ "$CREDITS" -gt "$BUDGET" ]; then echo "That is above the budget of $BUDGET."; exit 1; fi
beckon projects/from-sitemap '{"sitemap_url":"'$SITEMAP'","skip_already_submitted":true}'`;
}
