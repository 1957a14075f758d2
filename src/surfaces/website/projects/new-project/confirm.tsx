import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import type { ListCount } from "../../../../platform/lists/words.ts";
import { type Pack, packFor } from "../../../../platform/packs.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Form, type FormRequest } from "../../components/form.tsx";
import { LeftOut } from "../../components/left-out.tsx";
import { Notice } from "../../components/notice.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import { BuyLink } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { SignedInRequest } from "../../shell/page-request.ts";
import { URLS_CHECKED_PER_CREDIT } from "../domain.ts";
import type { Count } from "./count.ts";
import { addHttps, type Draft, fieldsOf } from "./draft.ts";
import { buyLabel } from "./form.tsx";
import { AboutHeld } from "./hold-out.tsx";

interface Shop {
  /** The price that was agreed to before; null: none. */
  readonly agreed: number | null;
  /** What may be bought here. */
  readonly packs: readonly Pack[];
  /** Where payment pages are, if not on our own site. */
  readonly payAt: string | undefined;
  /** Whether the list is there again after a payment. */
  readonly isKept: boolean;
}

/** What the service counted and what it costs, to be agreed to. */
export function confirmPage(request: SignedInRequest, draft: Draft, count: Count, shop: Shop): Page {
  const { agreed } = shop;
  const { urls, duplicates, invalid, submitted, remaining, credits, balance, warnings, experiment } = count;
  const isList = draft.source === "list";
  const missing = credits - balance;
  const body = (
    <>
      {agreed !== null && agreed < credits && (
        <Notice variant="bad">
          The price has risen from {formatCount(agreed, "credit")} to {formatCount(credits, "credit")} since you saw it.
          Nothing was spent.
        </Notice>
      )}
      <Facts
        rows={[
          [draft.kind === "check" ? "URLs to check" : "URLs to submit", formatNumber(urls)],
          ["Sent", experiment && formatNumber(experiment.sent)],
          [
            "Held out",
            experiment &&
              `${formatNumber(experiment.held)}, looked up for ${formatCount(experiment.credits, "credit")}`,
          ],
          ["Duplicates left out", duplicates > 0 ? formatNumber(duplicates) : null],
          ["Invalid and left out", invalid > 0 ? formatNumber(invalid) : null],
          [
            isList ? "Submitted before" : "Submitted before and left out",
            submitted > 0 ? formatNumber(submitted) : null,
          ],
          ["Left for another project", remaining > 0 ? formatNumber(remaining) : null],
          ["Price", <strong key="price">{formatCount(credits, "credit")}</strong>],
          ["Your balance", formatCount(balance, "credit")],
          ["Left after that", missing > 0 ? null : formatCount(-missing, "credit")],
        ]}
      />
      {count.file && <WhatWasRead name={count.file.name} count={count.file.count} />}
      {count.typed && <WhatWasRead name={null} count={count.typed} />}
      {warnings.length > 0 && (
        <Notice>
          <ul class="lines">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      {isList && submitted > 0 && (
        <Notice>
          You have submitted {formatNumber(submitted)} of these URLs in an earlier project. Submitted again, they cost
          credits again.
        </Notice>
      )}
      {!isList && (
        <p>
          The sitemap is read again when you submit it. If it costs more by then, nothing is spent and you are asked
          again.
        </p>
      )}
      {draft.skip_indexed && draft.kind !== "check" && (
        <p>
          Each URL is looked up before it is sent. The credits of those that Google has come back when the project is
          completed, less 1 for each {formatCount(URLS_CHECKED_PER_CREDIT, "URL")} looked up, and never less than none.
        </p>
      )}
      {experiment && <AboutHeld experiment={experiment} />}
      {missing > 0 && <Missing request={request} missing={missing} shop={shop} />}
      <div class="row">
        {missing > 0 && (
          <DraftForm request={request} draft={draft} isQuiet>
            Count again
          </DraftForm>
        )}
        {missing <= 0 && urls > 0 && (
          <DraftForm request={request} draft={draft} agreed={count}>
            {`${whatIsDone(draft, count)} for ${formatCount(credits, "credit")}`}
          </DraftForm>
        )}
        {isList && submitted > 0 && submitted < urls && (
          <DraftForm request={request} draft={{ ...draft, urls: count.fresh }} isQuiet>
            Leave out the URLs submitted before
          </DraftForm>
        )}
        {count.typed?.offer && (
          <DraftForm request={request} draft={draft} hidden={{ add_https: "yes" }} isQuiet>
            {addHttps(count.typed.offered)}
          </DraftForm>
        )}
        <DraftForm request={request} draft={draft} hidden={{ change: "yes" }} isQuiet>
          Change something
        </DraftForm>
      </div>
    </>
  );
  const page = dashboardPage({ section: "newProject", title: "Check the list and its price", body });
  return { ...page, forms: shop.payAt === undefined ? [] : [shop.payAt] };
}

interface MissingProps {
  readonly request: SignedInRequest;
  readonly missing: number;
  readonly shop: Shop;
}

/** The pack that is enough, and whether the list waits for the payment by itself. */
function Missing({ request, missing, shop: { packs, isKept } }: MissingProps): VNode {
  const pack = packs.length > 0 ? packFor(packs, missing) : null;
  return (
    <>
      <Notice variant="bad">
        You need {formatCount(missing, "more credit")}. {!pack && <BuyLink>Buy credits</BuyLink>}
      </Notice>
      {pack && (
        <Form request={request} action={PATHS.buy} hidden={{ pack: pack.id }} isNewTab={!isKept}>
          <Button>{buyLabel(pack)}</Button>
          <p class="hint">
            {isKept
              ? "Your list waits for you: the page after the payment leads back to it."
              : "The payment opens in a new tab, and this page keeps your list. Come back here, and count again."}
          </p>
        </Form>
      )}
    </>
  );
}

function whatIsDone({ kind }: Draft, { urls, experiment }: Count): string {
  if (experiment) return `Submit ${formatCount(experiment.sent, "URL")} and hold out ${formatNumber(experiment.held)}`;
  return `${kind === "check" ? "Check" : "Submit"} ${formatCount(urls, "URL")}`;
}

/** How a list was read, and what of it was left out and why. @param name of its file; null: it was typed */
function WhatWasRead({ name, count }: { readonly name: string | null; readonly count: ListCount }): VNode {
  const { about, offer } = count;
  return (
    <>
      {about && <p>{name === null ? about : `${name}: ${about}`}</p>}
      {name === null && offer && <p>{offer}</p>}
      <LeftOut count={count} file={name} />
    </>
  );
}

interface DraftFormProps {
  readonly request: FormRequest;
  readonly draft: Draft;
  /** The count whose price is agreed to by sending it. */
  readonly agreed?: Count;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly isQuiet?: boolean;
  readonly children: string;
}

/** A button that sends the whole draft again. The draft is in the page only: nothing of it is stored before it is submitted. */
export function DraftForm({ request, draft, agreed, hidden = {}, isQuiet, children }: DraftFormProps): VNode {
  const consent = agreed ? { agreed: String(agreed.credits), seen: String(agreed.submitted) } : {};
  const fields = { ...fieldsOf(draft), ...consent, ...hidden };
  return (
    <Form request={request} action={PATHS.newProject} hidden={fields} isMultipart>
      <Button variant={isQuiet ? "quiet" : undefined}>{children}</Button>
    </Form>
  );
}
