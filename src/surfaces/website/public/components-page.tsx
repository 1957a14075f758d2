import type { ComponentChildren, VNode } from "preact";
import { DAY } from "../../../platform/clock.ts";
import { SCOPES } from "../../../platform/principal.ts";
import { BalanceChart } from "../charts/balance.tsx";
import { FoundLine, type FoundPoint } from "../charts/found-line.tsx";
import { Button } from "../components/button.tsx";
import { Card, Cards } from "../components/card.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Facts } from "../components/facts.tsx";
import { Choice, ScopeChoices, TextArea, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { CoverageHeadline, CoverageOverTime } from "../components/host-coverage.tsx";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { LeftOut } from "../components/left-out.tsx";
import { Nothing } from "../components/nothing.tsx";
import { Notice } from "../components/notice.tsx";
import { PackCards } from "../components/pack-cards.tsx";
import { Pagination } from "../components/pagination.tsx";
import { PasskeyForm, PasskeyMissing } from "../components/passkey-form.tsx";
import { Prose } from "../components/prose.tsx";
import { Reasons } from "../components/reasons.tsx";
import { SearchForm } from "../components/search-form.tsx";
import { ServiceClock } from "../components/service-clock.tsx";
import { EmailField, NewPasswordField } from "../components/sign-in-fields.tsx";
import { McpOauthSnippet } from "../components/snippets.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Day, RelativeTime, relativeTime, Time } from "../components/time.tsx";
import { TryBox } from "../components/try-box.tsx";
import { UrlText } from "../components/url-text.tsx";
import { LastUsed, ScopeList } from "../components/usage-labels.tsx";
import type { PageRequest } from "../shell/page-request.ts";
import { firstTerms } from "../spending/domain.ts";
import { LimitFields } from "../spending/limit-fields.tsx";

/** Where a sandbox shows its components; no link leads here. */
export const COMPONENTS_PATH = "/components";

/** `GET /components`: every component in every variant, so that a new page is made of the same ones. Its forms do nothing. */
export function componentsPage(request: PageRequest): void {
  request.res.set("X-Robots-Tag", "noindex, nofollow");
  request.show({ title: "Components - Beckon", forms: [], body: <ComponentsView request={request} /> });
}

function ComponentsView({ request }: { request: PageRequest }): VNode {
  return (
    <>
      <h1>Components</h1>
      <p>Every component of the website in every variant. The forms of this page do nothing.</p>
      <Notices />
      <Buttons request={request} />
      <Fields request={request} />
      <Lists request={request} />
      <Figures now={request.now} />
      <Texts now={request.now} />
    </>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Notices(): VNode {
  return (
    <Group title="Notice">
      <Notice>Something to know.</Notice>
      <Notice variant="good">Something was done.</Notice>
      <Notice variant="bad">Something is wrong.</Notice>
    </Group>
  );
}

function Buttons({ request }: { request: PageRequest }): VNode {
  return (
    <Group title="Button">
      <Form request={request} action={COMPONENTS_PATH}>
        <p class="row">
          <Button>Important</Button>
          <Button variant="quiet">Quiet</Button>
          <Button variant="bad">Cannot be undone</Button>
        </p>
        <p class="row">
          <Button variant="quiet small">Quiet, small</Button>
          <Button variant="bad small">Cannot be undone, small</Button>
        </p>
      </Form>
    </Group>
  );
}

function Fields({ request }: { request: PageRequest }): VNode {
  return (
    <Group title="Form and fields">
      <Form request={request} action={COMPONENTS_PATH}>
        <TextField name="plain" label="Text" autocomplete="off" hint="What it is for." />
        <TextField name="wrong" label="Text that is wrong" autocomplete="off" value="abc" problem="Enter a number." />
        <EmailField value="ann@example.com" isFixed />
        <TextField name="code" label="Code" autocomplete="off" value="K7P2MX" isCode />
        <TextArea name="lines" label="Lines" value={"https://example.com/\nhttps://example.com/about"} rows={3} />
        <LeftOut count={{ left: ["Line 3: about us (it does not begin with http:// or https://)"], invalid: 4 }} />
        <Choice type="radio" name="one" value="first" isTicked hint="A hint about it.">
          One of several
        </Choice>
        <Choice type="radio" name="one" value="second" isTicked={false}>
          Another one
        </Choice>
        <ScopeChoices offered={SCOPES} ticked={["read"]} />
        <LimitFields values={firstTerms(null, 0)} />
        <NewPasswordField label="New password" />
        <Button>Send</Button>
      </Form>
      <PasskeyForm
        request={request}
        ceremony="get"
        optionsPath={COMPONENTS_PATH}
        action={COMPONENTS_PATH}
        button="Use a passkey"
      />
      <PasskeyMissing />
      <TryBox action={COMPONENTS_PATH} />
    </Group>
  );
}

function Lists({ request }: { request: PageRequest }): VNode {
  const rows = [
    { name: "Spring articles", urls: 1_200, state: "checking" },
    { name: "A name that is so long that it needs more than one line on the width of a phone", urls: 3, state: "gone" },
  ];
  const columns = [
    { head: "Project", cell: ({ name }: (typeof rows)[number]) => <div class="name">{name}</div> },
    { head: "URLs", isNumber: true, cell: ({ urls }: (typeof rows)[number]) => urls },
    { head: "State", cell: ({ state }: (typeof rows)[number]) => <span class={`state state-${state}`}>{state}</span> },
  ];
  return (
    <>
      <Group title="Table">
        <Table label="A table whose rows are cards on a phone" rows={rows} columns={columns} />
        <Table label="A dense table" rows={rows} columns={columns} isDense />
        <Table label="A narrow table" rows={rows} columns={columns.slice(1)} isNarrow />
        <SearchForm
          label="Search the list"
          action={COMPONENTS_PATH}
          search="spring"
          query={{}}
          clear={COMPONENTS_PATH}
        />
        <Pagination path={COMPONENTS_PATH} number={2} hasMore />
      </Group>
      <Group title="List of items, each with an action that is confirmed">
        <ItemList>
          <Item
            title={
              <>
                A thing <span class="mark">marked</span>
              </>
            }
            facts={["A fact about it", "Another one"]}
          >
            <ConfirmedAction
              request={request}
              label="Remove"
              warning="This cannot be undone."
              action={COMPONENTS_PATH}
              button="Remove the thing"
            />
          </Item>
        </ItemList>
      </Group>
      <Group title="Facts">
        <Facts
          rows={[
            ["Name", "Spring articles"],
            ["ID", <code key="id">prj_0123456789abc</code>],
            ["Left out", null],
          ]}
        />
        <Facts
          isInline
          rows={[
            ["Kind", "Indexing, standard"],
            ["Credits", "120 spent"],
          ]}
        />
      </Group>
    </>
  );
}

const SAMPLE_PACKS = [
  { id: "basic", name: "Basic", credits: 150, amountCents: 999, perLink: "$0.067" },
  { id: "pro", name: "Pro", credits: 1_500, amountCents: 9_999, perLink: "$0.067" },
];

const REASONS = [
  { words: "Google has not crawled it yet", count: 21, nextStep: "Wait, and link to it from pages that are indexed." },
  { words: "the page says noindex", count: 4, nextStep: "Take noindex out of the page." },
].map((reason) => ({ ...reason, meaning: reason.words, state: "not_indexed", label: "Not in Google" }));

const COVERAGE = {
  ...{ host: "www.example.com", pages: 120, in_google: 92, unknown: 3, median_days: 3.5, reasons: REASONS },
  as_of: "2026-01-21T12:00:00.000Z",
  series: [0, 40, 75, 88, 92].map((count, at) => ({ day: `2026-01-${11 + 2 * at}`, pages: 120, in_google: count })),
};

function Figures({ now }: { now: number }): VNode {
  const balances = [500, 380, 410, 90, 1_190].map((balance, at) => ({ balance, at: now - (10 - 2 * at) * DAY }));
  const parts = [
    { state: "indexed", label: "In Google", count: 60 },
    { state: "not_indexed", label: "Not in Google", count: 25 },
    { state: "checking", label: "Checking", count: 15 },
  ];
  return (
    <>
      <Group title="Cards">
        <Cards>
          <Card value="1,200" links={<a href={COMPONENTS_PATH}>History</a>}>
            credits
          </Card>
          <Card value="7">of 500 submissions today</Card>
        </Cards>
        <PackCards
          packs={SAMPLE_PACKS}
          popular="pro"
          heading="h3"
          chosen="pro"
          action={({ name }) => <a href={COMPONENTS_PATH}>Choose {name}</a>}
        />
      </Group>
      <Group title="Charts">
        <StateBar parts={parts} />
        <FoundLine
          points={foundFrom(now)}
          total={120}
          from={now - 16 * DAY}
          to={now}
          next={null}
          description="Of 120 pages, 98 found; 92 in Google now, 6 dropped out again."
        />
        <CoverageHeadline coverage={COVERAGE} />
        <CoverageOverTime coverage={COVERAGE} />
        <Reasons reasons={REASONS} most={1} />
        <BalanceChart points={balances} to={now} description="Between 90 and 1,190 credits; now 1,190." />
      </Group>
    </>
  );
}

/** How many pages of a project of 120 were found, from sixteen days ago on. */
function foundFrom(now: number): FoundPoint[] {
  const days = [
    [0, 0, 0],
    [4, 80, 80],
    [9, 80, 74],
    [14, 98, 92],
    [16, 98, 92],
  ] as const;
  return days.map(([day, found, inGoogle]) => ({ at: now - (16 - day) * DAY, found, inGoogle }));
}

function Texts({ now }: { now: number }): VNode {
  return (
    <Group title="Texts">
      <p>
        <Time at={now} />, <Day at={now} />, {relativeTime(now - 7_200_000, now)},{" "}
        <RelativeTime at={now + 4 * DAY} now={now} due="due now" />, <Time at={null} never="never" />, <Nothing />
      </p>
      <p>
        <Prose text="Text in which `backticks` enclose code." />
      </p>
      <p>
        <UrlText url="https://example.com/caf%C3%A9/opening-hours" />
      </p>
      <p>
        <ScopeList scopes={SCOPES} />. <LastUsed at={now - 7_200_000} now={now} />.
      </p>
      <ServiceClock now={now + 3 * DAY} real={now} />
      <CodeBlock text={"curl https://example.com/api/v1/account"} />
      <McpOauthSnippet siteUrl="https://example.com" />
      <Tabs
        name="shell"
        label="Language of the example"
        tabs={[
          { id: "one", title: "curl", content: <CodeBlock text="curl https://example.com/" /> },
          { id: "other", title: "MCP", content: <CodeBlock text="claude mcp add beckon" /> },
        ]}
      />
    </Group>
  );
}
