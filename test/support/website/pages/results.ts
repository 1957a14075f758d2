import { eq } from "drizzle-orm";
import { createShare } from "../../../../src/domain/shares/shares.ts";
import { PATHS } from "../../../../src/surfaces/website/shell/addresses.ts";
import { ownerPrincipal } from "../../database/people.ts";
import { listed, type PageEntry, type PageVisit } from "./listed-page.ts";

/** A page that a link of the example account opens. */
function shared(subject: (owner: PageVisit["owner"]) => { projectId: string } | { host: string }): PageEntry {
  return [
    "/shared/:secret",
    async ({ service: { db, clock }, owner, open }) => {
      const caller = await ownerPrincipal(db, owner.accountId);
      const [project] = await db.q.select().from(db.t.projects).where(eq(db.t.projects.id, owner.projects.completed));
      const words = { title: `${project!.name}, as of today`, from: "Example Agency, Berlin", days: 30 };
      const made = { projectId: null, host: null, ...words, ...subject(owner), caller, now: clock.now() };
      const { secret } = await db.tx((tx) => createShare(tx, made));
      await open(`/shared/${secret}`);
    },
  ];
}

const newShare = ({ owner }: PageVisit) => `${PATHS.shares}/new?project=${owner.projects.completed}`;

/** The pages of results that an account shows to others. */
export const RESULTS = listed("owner", {
  "share-new": [`${PATHS.shares}/new`, (visit) => visit.open(newShare(visit))],
  "share-made": [PATHS.shares, (visit) => visit.send(newShare(visit), { from: "Example Agency" })],
  "share-wrong": [
    PATHS.shares,
    async (visit) => {
      await visit.open(newShare(visit));
      await visit.page
        .locator('input[name="title"]')
        .evaluate("(field) => { field.removeAttribute('maxlength'); field.value = 'x'.repeat(121); }");
      await visit.page.getByRole("button", { name: "Make the link" }).click();
      await visit.page.waitForLoadState();
    },
  ],
  "shared-project": shared(({ projects }) => ({ projectId: projects.completed })),
  "shared-project-active": shared(({ projects }) => ({ projectId: projects.dripping })),
  "shared-check": shared(({ projects }) => ({ projectId: projects.check })),
  "shared-site": shared(() => ({ host: "www.example.com" })),
  shares: [PATHS.shares],
});
