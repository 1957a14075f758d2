import { eq } from "drizzle-orm";
import { EXPORT_KEPT, type ExportRow, MAX_FAILURES } from "../../../../src/domain/exports/exports.ts";
import { ACCOUNT_PATHS, ACCOUNTS_PATH, PATHS } from "../../../../src/surfaces/website/shell/addresses.ts";
import { asOwner } from "../../database/people.ts";
import { listed, type PageEntry, type PageVisit } from "./listed-page.ts";

const PROJECT = `${PATHS.projects}/:id`;
const LINK = `${PROJECT}/links/:linkId`;

type ProjectName = keyof PageVisit["owner"]["projects"];

/** A project of the example account. */
function project(name: ProjectName, query = ""): PageEntry {
  return [PROJECT, ({ owner, open }) => open(`${PATHS.projects}/${owner.projects[name]}${query}`)];
}

/** A link of the example account, by its position in its project. */
function link(name: ProjectName, position: number): PageEntry {
  const path = (id: string) => `${PATHS.projects}/${id}/links/lnk_${id.slice(4)}_${position}`;
  return [LINK, ({ owner, open }) => open(path(owner.projects[name]))];
}

const LIST = Array.from({ length: 5 }, (_, index) => `https://www.example.com/typed/${index}`).join("\n");

async function typeList({ page, open }: PageVisit, text: string): Promise<void> {
  await open(PATHS.newProject);
  await page.getByLabel("URLs, one per line").fill(text);
}

async function claimAddress({ service, owner }: PageVisit): Promise<{ address: string; code: string }> {
  const response = await fetch(`${service.url}/api/agent/identity`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type: "service_auth", login_hint: owner.email, agent_name: "Robin's agent" }),
  });
  const { claim } = (await response.json()) as { claim: { verification_uri: string; user_code: string } };
  return { address: claim.verification_uri, code: claim.user_code };
}

async function typeCode(visit: PageVisit, change: (code: string) => string): Promise<void> {
  const { address, code } = await claimAddress(visit);
  await visit.open(address);
  await visit.page.locator("input.code").fill(change(code));
  await visit.page.getByRole("button", { name: /allow/i }).click();
  await visit.page.waitForLoadState();
}

/** Opens the page of an export that has come so far. */
async function openWithExport({ service, owner, open }: PageVisit, progress: Partial<ExportRow>): Promise<void> {
  const { db, clock } = service;
  const { accountId } = owner;
  const row = {
    ...(await asOwner(db, accountId)),
    id: "exp_of_the_example",
    requestedAt: clock.now(),
    rowsDone: 640,
    rowsTotal: 1_200,
  };
  const { exports } = db.t;
  await db.tx((tx) =>
    tx.q
      .insert(exports)
      .values({ ...row, failures: 0, ...progress })
      .returning(),
  );
  await open(ACCOUNT_PATHS.export);
  await db.tx((tx) => tx.q.delete(exports).where(eq(exports.accountId, accountId)));
}

/** The page of somebody who has connected a Google account that works, and a key of Bing that does not. */
async function connectedPage({ service, owner, open }: PageVisit): Promise<void> {
  const { db, clock } = service;
  const { accountId } = owner;
  const now = clock.now();
  const property = (name: string, permission: string) => ({ name, permission });
  const google = [
    property("sc-domain:example.com", "siteOwner"),
    property("https://www.example.net/blog/", "siteFullUser"),
    property("https://example.org/", "siteRestrictedUser"),
  ];
  const personId = "per_owner";
  const row = { accountId, personId, sealedSecret: "none", createdAt: now, nextLookAt: now, endedAt: null };
  const works = { checkedAt: now, failingSince: null, failure: null };
  const fails = { checkedAt: now, failingSince: now, failure: "access_revoked" };
  const rows = [
    {
      id: "con_google",
      kind: "search_console",
      subject: "1",
      name: owner.email,
      properties: JSON.stringify(google),
      ...works,
    },
    { id: "con_bing", kind: "bing_webmaster", subject: "2", name: "key that ends in cdef", properties: "[]", ...fails },
  ];
  const { connections } = db.t;
  await db.tx(async (tx) => {
    await tx.q.delete(connections).where(eq(connections.accountId, accountId));
    await tx.q.insert(connections).values(rows.map((one) => ({ ...row, scopes: "", ...one })));
  });
  await open(PATHS.connections);
  await db.tx((tx) => tx.q.delete(connections).where(eq(connections.accountId, accountId)));
}

/** The pages of an account that has been used for three weeks. */
export const OWNER = listed("owner", {
  dashboard: [PATHS.overview],
  "search-found": [PATHS.search, `${PATHS.search}?q=example.com`],
  "search-nothing": [PATHS.search, `${PATHS.search}?q=nowhere`],
  "search-too-short": [PATHS.search, `${PATHS.search}?q=a`],
  projects: [PATHS.projects],
  "projects-searched": [PATHS.projects, `${PATHS.projects}?search=a&sort=-indexed&kind=index`],
  "projects-nothing-found": [PATHS.projects, `${PATHS.projects}?search=nowhere`],
  activity: [ACCOUNT_PATHS.activity],
  "project-edit": [`${PROJECT}/edit`, ({ owner, open }) => open(`${PATHS.projects}/${owner.projects.completed}/edit`)],
  "project-resubmit": [
    `${PROJECT}/resubmit`,
    ({ owner, open }) => open(`${PATHS.projects}/${owner.projects.completed}/resubmit`),
  ],
  "project-reason": project("completed", "?status=not_indexed&reason=dropped"),
  "project-completed": project("completed"),
  "project-dripping": project("dripping"),
  "project-check": project("check"),
  "project-instant": project("instant"),
  "project-cancelled": project("cancelled"),
  "project-new": project("new"),
  "project-cancel": [
    PROJECT,
    async ({ owner, open, page }) => {
      await open(`${PATHS.projects}/${owner.projects.dripping}?search=prices`);
      await page.locator("details.risky > summary").click();
    },
  ],
  "links-searched": project("completed", "?search=-1&sort=-url"),
  "links-nothing-found": project("completed", "?search=nowhere"),
  "link-indexed": link("completed", 0),
  "link-waiting": link("new", 0),
  "link-check": link("check", 1),
  "new-project": [PATHS.newProject],
  "new-project-check": [PATHS.newProject, `${PATHS.newProject}?kind=check`],
  "new-project-sitemap": [
    PATHS.newProject,
    async ({ open, page }) => {
      await open(PATHS.newProject);
      await page.getByLabel("A sitemap").check();
    },
  ],
  "new-project-counting": [
    PATHS.newProject,
    async (visit) => {
      await typeList(visit, `${LIST}\nnot a URL\n`);
      await visit.page.getByRole("button", { name: "Submit 5 URLs for 5 credits" }).waitFor();
    },
  ],
  "new-project-counted": [
    PATHS.newProject,
    async (visit) => {
      await typeList(visit, `${LIST}\nnot a URL\n${LIST}`);
      await visit.page.getByRole("button", { name: "Submit 5 URLs for 5 credits" }).waitFor();
      // As without a script: the price is not agreed to yet.
      await visit.page.evaluate(
        'document.querySelector("[name=agreed]").value = ""; document.querySelector(".new-project").submit()',
      );
      await visit.page.getByRole("heading", { name: "Check the list and its price" }).waitFor();
    },
  ],
  "new-project-held-out": [
    PATHS.newProject,
    async (visit) => {
      await typeList(visit, Array.from({ length: 100 }, (_, no) => `https://www.example.com/held/${no}`).join("\n"));
      await visit.page.getByText("Measure whether it helped").click();
      await visit.page.getByLabel("20 %").check();
      await visit.page.getByRole("button", { name: "Submit 80 URLs and hold out 20 for 84 credits" }).waitFor();
    },
  ],
  "new-project-wrong": [
    PATHS.newProject,
    async (visit) => {
      await typeList(visit, "not a URL");
      await visit.page.getByText("1 invalid").waitFor();
      await visit.page.getByRole("button", { name: "Count and show the price" }).click();
      await visit.page.getByText("No line is a whole URL").waitFor();
    },
  ],
  sites: [PATHS.sites],
  "site-added": [`${PATHS.sites}/:host`, ({ send }) => send(PATHS.sites, { host: "new.example.com" })],
  "sites-wrong": [PATHS.sites, ({ send }) => send(PATHS.sites, { host: "no host" })],
  site: [`${PATHS.sites}/:host`, `${PATHS.sites}/www.example.com`],
  connections: [PATHS.connections, connectedPage],
  credits: [PATHS.credits],
  ledger: [PATHS.ledger],
  spending: [PATHS.spending],
  orders: [PATHS.orders],
  keys: [PATHS.keys],
  "key-made": [PATHS.keys, ({ send }) => send(PATHS.keys, { name: "A script of mine" })],
  key: [
    `${PATHS.keys}/:id`,
    async ({ open, page }) => {
      await open(PATHS.keys);
      await page.locator(".items h3 a").first().click();
      await page.waitForLoadState();
    },
  ],
  apps: [PATHS.apps],
  agent: [`${PATHS.apps}/:id`, ({ owner, open }) => open(`${PATHS.apps}/${owner.agent}`)],
  approvals: [PATHS.approvals],
  approval: [`${PATHS.approvals}/:id`, ({ owner, open }) => open(`${PATHS.approvals}/${owner.approval}`)],
  watches: [PATHS.watches],
  "watches-looked": [
    PATHS.watches,
    async ({ service, open, page }) => {
      const day = (days: number) => new Date(service.clock.service() - days * 86_400_000).toISOString();
      const entry = (_: unknown, no: number) =>
        `<url><loc>https://www.example.com/${no}</loc><lastmod>${day(no)}</lastmod></url>`;
      const entries = Array.from({ length: 240 }, entry).join("");
      const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
      await open(`${PATHS.watches}?url=${encodeURIComponent(service.site.serve("/looked.xml", sitemap))}`);
      await page.getByRole("button", { name: "Look at the sitemap" }).click();
      await page.getByText("The sitemap lists 240 pages").waitFor();
    },
  ],
  "watches-wrong": [
    PATHS.watches,
    async ({ open, page }) => {
      await open(PATHS.watches);
      await page.getByText("Set it up without looking").click();
      await page.getByText("More: changed and removed pages").click();
      await page.locator('input[name="url"]').fill("https://example.com/a.xml");
      await page.locator('input[name="most"]').fill("0");
      await page.getByRole("button", { name: "Watch it" }).click();
      await page.waitForLoadState();
    },
  ],
  watch: [`${PATHS.watches}/:id`, ({ owner, open }) => open(`${PATHS.watches}/${owner.watches.good}?done=made`)],
  "watch-wrong": [
    `${PATHS.watches}/:id`,
    async ({ owner, open, page }) => {
      await open(`${PATHS.watches}/${owner.watches.good}`);
      await page.getByText("Change them").click();
      await page.locator('input[name="most"]').fill("0");
      await page.locator('textarea[name="include"]').fill("/blog/*\nblog/archive");
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForLoadState();
    },
  ],
  "watch-held": [`${PATHS.watches}/:id`, ({ owner, open }) => open(`${PATHS.watches}/${owner.watches.held}`)],
  "watch-tried": [
    `${PATHS.watches}/:id`,
    async ({ owner, open, page }) => {
      await open(`${PATHS.watches}/${owner.watches.tried}`);
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.getByRole("heading", { name: "What a run would do now" }).waitFor();
    },
  ],
  webhooks: [PATHS.webhooks],
  "webhooks-known": [PATHS.webhooks, `${PATHS.webhooks}?done=known`],
  "webhooks-wrong": [PATHS.webhooks, ({ send }) => send(PATHS.webhooks, { url: "http://example.com/hooks" })],
  webhook: [`${PATHS.webhooks}/:id`, ({ owner, open }) => open(`${PATHS.webhooks}/${owner.webhook}`)],
  usage: [PATHS.usage],
  people: [PATHS.people],
  accounts: [ACCOUNTS_PATH],
  notices: [PATHS.notices],
  "notices-saved": [PATHS.notices, `${PATHS.notices}?done=saved`],
  "notices-wrong": [PATHS.notices, ({ send }) => send(PATHS.notices, { threshold: "-1" })],
  profile: [PATHS.profile],
  security: [PATHS.security],
  export: [ACCOUNT_PATHS.export],
  "export-making": [ACCOUNT_PATHS.export, (visit) => openWithExport(visit, { lease: "a process", leaseUntil: null })],
  "export-ready": [
    ACCOUNT_PATHS.export,
    (visit) => {
      const now = visit.service.clock.now();
      return openWithExport(visit, { completedAt: now, expiresAt: now + EXPORT_KEPT, bytes: 1_234_567 });
    },
  ],
  "export-failed": [ACCOUNT_PATHS.export, (visit) => openWithExport(visit, { failures: MAX_FAILURES })],
  "new-app": ["/dashboard/security/app/new"],
  "sign-in-again": ["/sign-in", "/sign-in?return_to=/dashboard/keys&again=1"],
  consent: [
    "/oauth/authorize",
    async ({ app, open }) => open(`${(await app.request({ scope: "read index purchase" })).address}`),
  ],
  "consent-refused": ["/oauth/authorize", "/oauth/authorize?client_id=unknown"],
  claim: ["/claim", async (visit) => visit.open((await claimAddress(visit)).address)],
  "claim-wrong-code": ["/claim", (visit) => typeCode(visit, (code) => (code === "222222" ? "333333" : "222222"))],
  "claim-done": ["/claim", (visit) => typeCode(visit, (code) => code)],
  "claim-gone": ["/claim", "/claim?attempt=gone"],
});

/** The same pages before anything has happened. */
export const NEWCOMER = listed(
  "newcomer",
  Object.fromEntries(Object.entries(PATHS).map(([name, path]): [string, PageEntry] => [`empty-${name}`, [path]])),
);
