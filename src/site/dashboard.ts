import { html } from "./html.ts";
import type { Page } from "./layout.ts";

/** Where `dashboard_url` leads until there is a dashboard: it shows nothing of any account. */
export function dashboardPage(siteUrl: string): Page {
  return placeholder(siteUrl, "account", "The balance, today's usage and the limits:");
}

/** Says the same of every id, whether there is such a project or not. */
export function projectPage(siteUrl: string, projectId: string): Page {
  const path = /^\w{1,64}$/.test(projectId) ? `projects/${projectId}` : "projects";
  return placeholder(siteUrl, path, "The project's counts and credits; add /links for its URLs:");
}

function placeholder(siteUrl: string, path: string, what: string): Page {
  return {
    title: "Dashboard - Beckon",
    body: html`
<h1>The dashboard is not built yet</h1>
<p>Everything it will show can be read with the API today.</p>
<p>${what}</p>
<pre><code>curl ${siteUrl}/api/v1/${path} -H "Authorization: Bearer $BECKON_API_KEY"</code></pre>
<p><a href="/openapi.json">All operations</a> · <a href="/docs/errors">Errors</a></p>`,
  };
}
