/** Changes that no test can notice, by file and reason: each as its line, what is changed, and what it becomes (`nameOf` in mutant.ts). */
export const SURVIVORS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "src/platform/urls/urls.ts": {
    "An item in normal form is found a second time below, only later.": [
      "if (this.#seen.has(item)) return false; | this.#seen.has(item) => false",
    ],
    "Fewer URLs take the short way; the long one has the same answer.": [
      'if (PLAIN.test(raw) && !raw.includes("/.") && !raw.includes("xn--")) | PLAIN.test(raw) && !raw.includes("/.") && !raw.includes("xn--") => false',
      'if (PLAIN.test(raw) && !raw.includes("/.") && !raw.includes("xn--")) | "/." => ""',
      'if (PLAIN.test(raw) && !raw.includes("/.") && !raw.includes("xn--")) | "xn--" => ""',
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | /^https?:\\/\\/(?:[a-z0-9… => /^https:\\/\\/(?:[a-z0-9…",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*… => …?:[a-z0-9-]+\\.)[a-z][a-z0-9-]*…",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-… => …/\\/(?:[a-z0-9-]\\.)+[a-z][a-z0-…",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*… => …+[a-z][a-z0-9-]\\/[\\w\\-.~!$&()*…",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …~!$&()*+,;=:@/]*(?:\\?[\\w\\-.~!$&… => …~!$&()*+,;=:@/](?:\\?[\\w\\-.~!$&…",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …&()*+,;=:@/?]+)?$/ => …&()*+,;=:@/?]+)$/",
      "const PLAIN = /^https?:\\/\\/(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*\\/[\\w\\-.~!$&()*+,;=:@/]*(?:\\?[\\ | …!$&()*+,;=:@/?]+)?$/ => …!$&()*+,;=:@/?])?$/",
    ],
  },
  "src/platform/urls/a-labels.ts": {
    "Every host takes the long way, which has the same answer.": [
      'return !host.includes("xn--") || host.split(".").every((label) => !label.startsWith("xn--" | "xn--" => ""',
    ],
    "No label stands for the host null or undefined.": [
      "return name !== null && parseUrl(`http://${name}/`)?.hostname === label; | name !== null => true",
      "} catch { | { … => {}",
    ],
  },
  "src/platform/urls/same-page.ts": {
    "A stored form begins with its scheme.": [
      "const PARTS = /^(https?:\\/\\/)((?:www\\.(?=[^/]*\\.[^/]))?)([^/]*)(\\/[^?]*)\\??(.*)/; | /^(https?:\\/\\/)((… => /(https?:\\/\\/)((…",
    ],
  },
  "src/domain/spending/budgets.ts": {
    "Drizzle leaves a column out that is undefined.": [
      "const set = { ...limits, ...(expiresAt === undefined ? {} : { expiresAt }) }; | expiresAt === undefined => false",
    ],
  },
  "src/domain/spending/spend.ts": {
    "The ledger has refused the spend of a disabled account before (`coveredBalance`).": [
      "const acting = await requireMayAct(tx, spender.principal, { scopes: SPENDING, spends: true | true => false",
    ],
  },
  "src/domain/watches/difference.ts": {
    "Pages are hashed again and again, with the same result.": [
      "if (index % PIECES === 0) { | index % PIECES === 0 => true",
    ],
  },
  "src/domain/watches/schedule.ts": {
    "Null counts as 1970, which is long ago.": [
      "return readAt === null ? service : Math.max(service, Math.min(readAt, service) + LEAST); | readAt === null => false",
    ],
  },
  "src/domain/oauth/refresh.ts": {
    "On SQLite transactions follow each other, so that nobody else has used the token meanwhile; on PostgreSQL the same tests reach it.":
      ["return revokeReused(tx, { grantId, ip, now }); | { grantId, ip, now } => {}"],
    "A text of another form has no row either.": [
      'if (!isSecret("refresh", secret)) return null; | !isSecret("refresh", secret) => false',
    ],
  },
  "src/domain/oauth/successors.ts": {
    "On SQLite transactions follow each other, so that nobody else has used the token meanwhile; on PostgreSQL the same tests reach it.":
      ["return used.length === 1; | used.length === 1 => true"],
    "Null counts as 1970, which is long ago.": [
      "const isOver = usedAt === null || sealedSuccessor === null || usedAt + ms <= now; | usedAt === null => false",
    ],
  },
  "src/domain/calls/idempotency-keys.ts": {
    "It only lets a process end that waits for nothing else.": ["timer.unref(); | timer.unref(); => ;"],
  },
  "src/domain/credentials/identify.ts": {
    'The text "undefined" is no header with a token.': [
      "const bearer = authorization === undefined ? undefined : /^Bearer +([\\x21-\\x7e]+) *$/i.exe | authorization === undefined => false",
    ],
    "A text of another form has no row either.": [
      "if (/^bk_(live|test)_[\\w-]{20,80}$/.test(secret)) return accessOfKey(db, hashOf(secret)); | /^bk_(live|test)_… => /bk_(live|test)_…",
      "if (/^bk_(live|test)_[\\w-]{20,80}$/.test(secret)) return accessOfKey(db, hashOf(secret)); | …t)_[\\w-]{20,80}$/ => …t)_[\\w-]{20,80}/",
    ],
    "What is left of the spaces is trimmed.": [
      "const secret = authorization === undefined ? apiKey : authorization.replace(/^Bearer +/i,  | /^Bearer +/i => /^Bearer /i",
    ],
  },
  "src/domain/credentials/resources.ts": {
    "They are routes, each of which is called by `test/src/surfaces/oauth/metadata.test.ts`.": [
      'export const MCP_PATHS: readonly string[] = ["/mcp", "/mcp/"]; | ["/mcp", "/mcp/"] => []',
      'export const MCP_PATHS: readonly string[] = ["/mcp", "/mcp/"]; | "/mcp" => ""',
      'export const MCP_PATHS: readonly string[] = ["/mcp", "/mcp/"]; | "/mcp/" => ""',
    ],
  },
  "src/domain/spending/approvals.ts": {
    "Null counts as 1970, which is long ago.": [
      "if (last !== null && Math.abs(now - last) < MAIL_GAP) return false; | last !== null => true",
    ],
    "On SQLite transactions follow each other, so that nobody else has used it meanwhile; on PostgreSQL `test/kills/approvals.test.ts` reaches it.":
      [
        "return used.length > 0; | used.length > 0 => true",
        "return used.length > 0; | used.length > 0 => used.length >= 0",
      ],
    "No task waits for none of them.": ["if (approvalIds.length === 0) return; | approvalIds.length === 0 => false"],
  },
  "src/domain/payments/cards/apply-event.ts": {
    "No order has null in place of an id.": [
      "else if (order !== null) await alertIfDeleted(deps, order); | order !== null => true",
      "const named = orderId === null ? undefined : eq(orders.id, orderId); | orderId === null => false",
      "const order = payment.orderId === null ? null : await lockOrder(tx, payment.orderId); | payment.orderId === null => false",
    ],
    "SQLite finds the order of the page before the one that the page names; PostgreSQL promises no order of rows.": [
      "return rows.find((row) => row.reference === reference) ?? rows[0] ?? null; | (row) => row.reference === reference => () => undefined",
      "return rows.find((row) => row.reference === reference) ?? rows[0] ?? null; | row.reference === reference => true",
      "return rows.find((row) => row.reference === reference) ?? rows[0] ?? null; | row.reference === reference => false",
    ],
  },
  "src/domain/payments/cards/card-payment.ts": {
    "What is known is written again as it is.": [
      "refundedAt === payment.refundedAt ? refundedCents > payment.refundedCents : refundedAt > p | refundedCents > payment.refund… => refundedCents >= payment.refund…",
      "!known || (saidAt === known.saidAt ? RANKS[state] > RANKS[known.state as DisputeState] : s | RANKS[state] > RANKS[known.st… => RANKS[state] >= RANKS[known.st…",
    ],
    "They are not equal here.": [
      "refundedAt === payment.refundedAt ? refundedCents > payment.refundedCents : refundedAt > p | refundedAt > payment.refund… => refundedAt >= payment.refund…",
      "!known || (saidAt === known.saidAt ? RANKS[state] > RANKS[known.state as DisputeState] : s | saidAt > known.saidAt => saidAt >= known.saidAt",
    ],
    "Null counts as 1970, which is before every statement; where there is none, the refunds that stand are more than what is left.":
      [
        "const failedSince = refunds.filter(({ failedAt }) => failedAt !== null && failedAt >= refu | failedAt !== null => true",
      ],
  },
  "src/domain/payments/cards/stripe/event.ts": {
    "No status is named so.": ['return typeof status === "string" ? status : ""; | "" => "Stryker was here!"'],
    "A set of texts has nothing else.": [
      'const hasFailed = typeof status === "string" && FAILED_REFUND.has(status); | typeof status === "string" => true',
    ],
    "It has no amount that is less than nothing.": [
      'const amounts = (Array.isArray(moves) ? moves : []).map((move) => Number(fieldsOf(move).am | [] => ["Stryker was here"]',
    ],
    "Zero is zero in milliseconds, too.": [
      "return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 253_402_30 | (value as number) >= 0 => value as number > 0",
    ],
  },
  "src/domain/payments/direct/settlement/checkpoint.ts": {
    "It is inserted again, and stays as it is.": ["if (known) return known; | known => false"],
  },
  "src/domain/payments/direct/settlement/verify.ts": {
    "The payer and the nonce alone say whether it is used.": [
      "const lowerCase = { from: from.toLowerCase(), to: to.toLowerCase(), nonce: nonce.toLowerCa | to.toLowerCase() => to.toUpperCase()",
    ],
  },
  "src/domain/payments/direct/settlement/submit.ts": {
    "Only a refusal is told from what else may be the outcome.": [
      'export const UNKNOWN: SettleResult = { outcome: "unknown" }; | { outcome: "unknown" } => {}',
      'export const UNKNOWN: SettleResult = { outcome: "unknown" }; | "unknown" => ""',
    ],
    "The operator reads it, and no law says which fields it has.": [
      'log.error({ err }, "a facilitator failed"); | { err } => {}',
    ],
  },
  "src/domain/payments/direct/settlement/check-chain.ts": {
    "No transfer is stored, and none is stored again.": [
      "else if (row.block !== null) await deps.db.tx((tx) => updateLeased(tx, lease, NO_TRANSFER) | row.block !== null => true",
    ],
    "It is asked of no status but the ones that decide, and `absent`.": [
      'if (at.number - use.block + 1 < confirmations) return { name: "shallow" }; | { name: "shallow" } => {}',
      'if (at.number - use.block + 1 < confirmations) return { name: "shallow" }; | "shallow" => ""',
      'if (isUsed) return { name: "spent" }; | { name: "spent" } => {}',
      'if (isUsed) return { name: "spent" }; | "spent" => ""',
    ],
    "The operator reads it, and no law says which fields it has.": [
      'if (!isOurs) log.error({ payment: lease.key, transfer }, "the chain names one transfer for | { payment: lease.key, transfer } => {}',
    ],
  },
  "src/domain/payments/direct/settlement/settle.ts": {
    "Undefined is no payload either.": ["} catch (thrown) { | { … => {}"],
    "Nothing else is thrown there.": [
      "if (thrown instanceof NotAccepted) return null; | thrown instanceof NotAccepted => true",
    ],
  },
  "src/domain/payments/direct/settlement/credit.ts": {
    "What is credited is in the journal.": [
      "const orderId = before?.orderId ?? newOrderId(); | before?.orderId => before.orderId",
      "const order = before?.orderId ? await setTransaction(tx, orderId, transactionOf(row)) : aw | before?.orderId => before.orderId",
      "if (row?.orderId && isCredited(row)) return orderById(tx, row.orderId); | row?.orderId => row.orderId",
    ],
  },
  "src/domain/payments/direct/journal/lease.ts": {
    "What is leased is in the journal.": [
      "if (row?.owner !== owner) throw new PaymentLeaseLost(); | row?.owner => row.owner",
    ],
  },
  "src/domain/payments/direct/settlement/finality.ts": {
    "What has not arrived is neither given back nor contested.": [
      "await settleOrder(tx, order, { arrived: false, refundedCents: 0, contested: false }, cause | { arrived: false, refundedCents: 0, contested: false } => {}",
      "await settleOrder(tx, order, { arrived: false, refundedCents: 0, contested: false }, cause | false => true",
    ],
    "The operator reads it, and no law says which fields it has.": [
      "{ order: row.orderId, hash: row.hash }, | { order: row.orderId, hash: row.hash } => {}",
    ],
  },
  "src/domain/payments/orders/settle.ts": {
    "A query of a maximum always has a row.": ["return (last?.no ?? 0) + 1; | last?.no => last.no"],
    "It is not zero here.": [
      "const description = difference < 0 ? takenBackText(order, status) : `Credits of order ${or | difference < 0 => difference <= 0",
    ],
  },
  "src/indexing/preflight/robots-rules.ts": {
    "It matches at the first character, if only nothing.": [
      'const name = /^\\*(?:\\s|$)/.test(value) ? "*" : /^[A-Za-z_-]*/.exec(value)![0].toLowerCase( | /^[A-Za-z_-]*/ => /[A-Za-z_-]*/',
    ],
    "No group is open yet.": ["let isInRules = false; | false => true"],
  },
  "src/indexing/preflight/page-check.ts": {
    "It only keeps Node.js from warning of many listeners.": [
      "setMaxListeners(0, this.#ended.signal); | setMaxListeners(0, this.#ended.signal); => ;",
      "setMaxListeners(0, host.ended.signal); | setMaxListeners(0, host.ended.signal); => ;",
    ],
  },
  "src/indexing/preflight/refresh.ts": {
    "The whole match is not read.": [
      'const [, double, single, bare] = INSTANT.exec(value) ?? []; | [] => ["Stryker was here"]',
    ],
  },
  "src/indexing/preflight/html.ts": {
    "A parser that has stopped says no more than the end of the element that it is in.": [
      "if (this.isDone) return; | this.isDone => false",
      "if (this.isDone) return; | this.isDone => false",
    ],
    "It only saves time: what is read then is passed over.": ["this.#parser.pause(); | this.#parser.pause(); => ;"],
    "An empty word among the others is none that is looked for.": [
      'const isCanonical = name === "link" && attributes.rel?.toLowerCase().split(/\\s+/).includes | /\\s+/ => /\\s/',
    ],
    "No crawler is named.": [
      "if (robots.length > 0 && asksForNoIndex(content, this.#options.now)) { | robots.length > 0 => true",
      "if (robots.length > 0 && asksForNoIndex(content, this.#options.now)) { | robots.length > 0 => robots.length >= 0",
    ],
    "It is no type of JSON either.": [
      'if (name === "script" && /^\\s*application\\/ld\\+json\\s*(?:;|$)/i.test(attributes.type ?? "" | "" => "Stryker was here!"',
    ],
    "No element ends within a script.": ['if (name === "script" && this.#json) { | name === "script" => true'],
  },
  "src/indexing/preflight/robots.ts": {
    "It is no rule.": [
      'const ALLOWED: RobotsAnswer = { rules: robotsRules(""), isReached: true }; | "" => "Stryker was here!"',
    ],
  },
  "src/indexing/preflight/directives.ts": {
    "What is in place of a missing neighbour has no colon.": [
      'const isValue = /:\\s*$/.test(parts[index - 1] ?? ""); | "" => "Stryker was here!"',
      'const isName = /^\\s*:/.test(parts[index + 1] ?? ""); | "" => "Stryker was here!"',
    ],
    "Words and what is between them take turns in the list, and only words are compared.": [
      "const parts = rules.split(/([\\s,;:]+)/); | /([\\s,;:]+)/ => /([^\\s,;:]+)/",
    ],
    "The last letter of a word is no rule.": [
      "const others = dated.map((text, index) => text.slice(dates[index]?.end ?? text.search(/[\\s | /[\\s,;]|$/ => /[\\s,;]/",
    ],
  },
  "src/indexing/preflight/headers.ts": {
    "It is no rule.": ['const found: string[] = []; | [] => ["Stryker was here"]'],
    "It is no link.": ['export function canonicalsByHeader(header = ""): string[] { | "" => "Stryker was here!"'],
  },
  "src/indexing/preflight/content-signal.ts": {
    "It matches at the first character, if only nothing.": [
      "const [, path, rest] = /^(?:([/*]\\S*)\\s)?(.*)/s.exec(value.trim())!; | /^(?:([/*]\\S*)\\s)… => /(?:([/*]\\S*)\\s)…",
    ],
  },
  "src/domain/watches/budget.ts": {
    "Nobody has that name.": ['const holders = runner ? holdersOf(runner) : []; | [] => ["Stryker was here"]'],
  },
  "src/domain/projects/settle.ts": {
    "To move no links changes nothing, and only asks the database.": [
      "if (positions.length === 0) continue; | positions.length === 0 => false",
    ],
    "Zeros are added.": [
      "if (lookedUp > 0) await countLookedUp(tx, project, lookedUp, skippedIn(moves)); | lookedUp > 0 => true",
      "if (lookedUp > 0) await countLookedUp(tx, project, lookedUp, skippedIn(moves)); | lookedUp > 0 => lookedUp >= 0",
      "if (Object.values(change).some((count) => count !== 0)) | Object.values(change).some((count) => count !== 0) => true",
      "if (Object.values(change).some((count) => count !== 0)) | count !== 0 => true",
    ],
  },
  "src/domain/limits/day.ts": {
    "It is one account more or less of many.": [
      "const isFull = this.#counts.size > MAX_ACCOUNTS; | ….#counts.size > MAX_ACCOUNTS => ….#counts.size >= MAX_ACCOUNTS",
    ],
  },
  "src/domain/limits/shared-counters.ts": {
    "No two counters have the same key.": [
      "counters.sort((one, other) => (one.key < other.key ? -1 : 1)); | one.key < other.key => one.key <= other.key",
    ],
  },
};
