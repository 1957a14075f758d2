import type { RequestHandler } from "express";
import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { addressOf } from "../../http-server/caller.ts";
import { requestedPage } from "../components/pagination.tsx";
import { Day } from "../components/time.tsx";
import { layout, pageHeaders } from "../shell/layout.tsx";
import type { WebsiteServices } from "../shell/page-request.ts";
import { type OpenedShare, type ShareRow, shareAt } from "./domain.ts";
import { hostResults } from "./host-results.tsx";
import { projectResults, URLS_PER_PAGE } from "./project-results.tsx";

/** Nothing of it is kept, indexed, or told to the sites that it links to. */
const HEADERS = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow, noarchive",
};

/**
 * `/shared/:secret`: the results of a project or of a site, for whoever has its address. It reads and sets no cookie. What is unknown,
 * has ended or is gone has one answer.
 */
export function sharedPage(services: WebsiteServices): RequestHandler {
  return async (req, res) => {
    const { config } = services;
    res.set(HEADERS);
    const ip = addressOf(req, config.trustProxy);
    const opened = await shareAt(services, { secret: String(req.params.secret), ip });
    if (!opened)
      throw new Refusal("not_found", "There is nothing at this address. The link may have ended.", {}, HEADERS);
    const page = requestedPage({ query: (name) => String(req.query[name] ?? "") }, URLS_PER_PAGE);
    const { title } = opened.share;
    const body = <SharedView share={opened.share}>{await resultsOf(services, opened, page)}</SharedView>;
    res.set({ ...pageHeaders({}), ...HEADERS }).type("html");
    res.send(layout({ title, body }, config));
  };
}

function resultsOf(services: WebsiteServices, opened: OpenedShare, page: ReturnType<typeof requestedPage>) {
  return opened.share.projectId === null ? hostResults(services, opened) : projectResults(services, opened, page);
}

function SharedView({ share, children }: { share: ShareRow; children: VNode }): VNode {
  const { title, fromName, expiresAt } = share;
  return (
    <article class="shared">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {fromName && (
        <p class="soft">
          From <bdi>{fromName}</bdi>
        </p>
      )}
      {children}
      <p class="soft no-print">
        This page is read-only, and can be opened until <Day at={expiresAt} />.
      </p>
    </article>
  );
}
