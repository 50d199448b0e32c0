// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code of other files
// The mutations of critical code that `npm test` must notice: who may do what, which rows a user sees, which input is
// accepted, what sweeps end, and what the sink stores.

/**
 * A change of one place in a file, which occurs once, and the tests of which one must fail then.
 * @typedef {{ file: string, from: string, to: string, tests: readonly string[] }} Mutation
 */

const POLICY = 'packages/contract/src/policy/';
const SERVER = 'apps/server/src/';
const DECIDE = [`${POLICY}decide.test.ts`, `${POLICY}security.test.ts`, `${POLICY}role-preview.test.ts`];
const ENFORCE = [`${SERVER}access/policy/enforce.test.ts`];
const FINDERS = [`${SERVER}access/policy/finders.test.ts`];
/** What the product says about files and shares comes from their rows. */
const EXPLAINED = [...FINDERS, `${SERVER}access/explain/explain.test.ts`];
const INPUTS = [`${SERVER}platform/http/validation.test.ts`, `${SERVER}bad-input/inputs.test.ts`];
const LANE = [`${SERVER}ingest/lane.test.ts`];
const SINK = ['sink.test.ts', 'sink-queue.test.ts', 'batch/store-batch.test.ts'].map(
  (name) => `${SERVER}ingest/${name}`,
);
const GUARD = [`${SERVER}access/guard.test.ts`];
const SESSIONS = [`${SERVER}access/sign-in/sessions.test.ts`, `${SERVER}access/sign-in/session-end.test.ts`];
const TOKENS = ['packages/domain/src/charging/tokens/decide-token.test.ts'];
const LINKS = ['packages/domain/src/links/link-rules.test.ts'];
const SWEEPS = [`${SERVER}operations/sweeper.test.ts`];
const SENDS = [`${SERVER}messages/channels/every-channel.test.ts`, `${SERVER}messages/channels/channels.test.ts`];

/**
 * @param {string} file
 * @param {readonly string[]} tests
 * @param {readonly (readonly [from: string, to: string])[]} changes
 * @returns {Mutation[]}
 */
const of = (file, tests, changes) => changes.map(([from, to]) => ({ file, from, to, tests }));

/** @type {readonly Mutation[]} */
export const MUTATIONS = [
  ...of(`${POLICY}decide.ts`, DECIDE, [
    ["if (who === 'root') return [deny('vendor', 'notRoot')];", ''],
    ["return [platformVendor ? pass('vendor', 'vendor')", "return [true ? pass('vendor', 'vendor')"],
    ['if (root) return [pass(', 'if (!root) return [pass('],
    ['if (hidden) {\n', 'if (false) {\n'],
    ['customerId !== null && seesWholeCustomer', 'customerId === null || seesWholeCustomer'],
    ['if (named?.whole && !rows.every(', 'if (named?.whole && !rows.some('],
    ['rights.platformVendor || customerId === rights.customerId', 'true'],
    ["if (policy.allCustomers && scope.customers !== 'all')", "if (policy.allCustomers && scope.customers === 'all')"],
    ['if (!meets(levels, toSee)) {', 'if (false) {'],
    ['const suffices = meets(levels, all);', 'const suffices = true;'],
    ['if (writes && row?.vendorWrites && !platformVendor)', 'if (writes && row?.vendorWrites && platformVendor)'],
    ["if (writes && row?.allSitesWrite && scope.sites !== 'all')", 'if (false)'],
    ["deny('level', 'controlNotOffered', 'controlNotOffered')", "open('level', 'controlNotOffered')"],
    ['if (row?.described && (command || items)) {', 'if (false) {'],
    ['const held = links.every(', 'const held = links.some('],
    ["if (permitsLink(rights, 'ssh')) return [pass", "if (permitsLink(rights, 'web')) return [pass"],
    ["if (!exceeds) return [pass('holding', 'holdsNoMore')];", "return [pass('holding', 'holdsNoMore')];"],
    ['policy.levelFirst ? [...level, ...row]', 'false ? [...level, ...row]'],
    ['policy.levelFirst ? decideLevel(', 'true ? decideLevel('],
  ]),
  ...of(`${SERVER}access/policy/enforce.ts`, ENFORCE, [
    ['refuse(refusalBeforeRows(policy, caller), policy);', ''],
    ["const hidden = wanted && rows.length < wanted.ids.length ? 'rowHidden' : null;", 'const hidden = null;'],
    ['if (!policy.withinOwnRights) return;', 'return;'],
    ["hidden: row ? null : 'rowHidden'", 'hidden: null'],
    ['if (!(error instanceof Problem)) throw error;', ''],
    ['if (row.most !== undefined && ids.size > row.most) {', 'if (false) {'],
    ['return ids.size === 0 && row.optional ? null', 'return row.optional ? null'],
    ['if (row.outside) throw new Problem(row.outside,', 'if (false) throw new Problem(row.outside ?? "notFound",'],
    ["links: remote === 'row' ? rows.map(", "links: remote !== 'row' ? rows.map("],
  ]),
  ...of(`${SERVER}access/policy/ids-in-query.ts`, ENFORCE, [['|| Number(id) > 2_147_483_647', '']]),
  ...of(`${SERVER}platform/database/scope.ts`, FINDERS, [
    ['`($2::int[] is null or ${customer} = any($2::int[]))`', '`true or $2::text is null`'],
    ['${byCustomer} and ($3::int[] is null or ${site} = any($3::int[]))`', '${byCustomer} or $3::text is null`'],
    ['${customer} = $4::int or (${scopeCondition', '$4::int is not null or (${scopeCondition'],
  ]),
  ...of(`${SERVER}access/policy/access-rows.ts`, FINDERS, [
    ['and us.site_id = any($3::int[])))`', 'or us.site_id = any($3::int[])))`'],
    [
      'where s.number = any($1::int[]) and ${SEES_USER}`',
      'where s.number = any($1::int[]) and ($2::text is null or true) and ($3::text is null or true)`',
    ],
  ]),
  ...of(`${SERVER}fleet/fleet-rows.ts`, FINDERS, [
    [
      "and ${scopeCondition('s.customer_id', 's.id')}`",
      "and ${scopeCondition('s.customer_id', null)} and ($3::text is null or true)`",
    ],
    ["and ${scopeCondition('c.id', null)}`", 'and ($2::text is null or true)`'],
  ]),
  ...of(`${SERVER}operations/operation-rows.ts`, FINDERS, [
    [
      "and ${scopeCondition('b.customer_id', 'b.site_id')}`",
      "and ${scopeCondition('b.customer_id', null)} and ($3::text is null or true)`",
    ],
    ["(b.customer_id is null or ${scopeCondition('b.customer_id', null)})", '($2::text is null or true)'],
  ]),
  ...of(`${SERVER}links/link-rows.ts`, FINDERS, [
    [
      "and ${scopeCondition('l.customer_id', 'l.site_id')}`",
      "and ${scopeCondition('l.customer_id', null)} and ($3::text is null or true)`",
    ],
  ]),
  ...of(`${SERVER}issues/issue-rows.ts`, FINDERS, [
    [
      "and ${scopeCondition('i.customer_id', 'i.site_id')}`",
      "and ${scopeCondition('i.customer_id', null)} and ($3::text is null or true)`",
    ],
  ]),
  ...of(`${SERVER}alarms/alarm-rows.ts`, FINDERS, [
    [
      "and ${scopeCondition('a.customer_id', 'a.site_id')}`",
      "and ${scopeCondition('a.customer_id', null)} and ($3::text is null or true)`",
    ],
  ]),
  ...of(`${SERVER}messages/channels/channel-rows.ts`, FINDERS, [
    ["and ${scopeCondition('r.customer_id', null)}`", 'and ($2::text is null or true)`'],
  ]),
  ...of(`${SERVER}applications/application-rows.ts`, FINDERS, [
    [
      'u.id is not null and ${SEES_USER}',
      'u.id is not null and ($2::text is null or true) and ($3::text is null or true)',
    ],
    ['u.id is null and $4::boolean', 'u.id is null and ($4::boolean or true)'],
  ]),
  ...of(`${SERVER}files/picture-rows.ts`, FINDERS, [
    ["(${scopeCondition('c.id', null)} and", '(($2::text is null or true) and'],
    ['s.customer_id = c.id and s.id = any($3::int[])', 's.id = any($3::int[])'],
  ]),
  ...of(`${SERVER}documents/document-rows.ts`, FINDERS, [
    ['and d.read_level >= $5 and', 'and $5::int is not null and'],
    ["${seenCustomerCondition('d.customer_id')}", '($2::text is null or true) and ($3::text is null or true)'],
    ['(d.enabled or d.write_level >= $6 and', '(true or d.write_level >= $6 and'],
  ]),
  ...of(`${SERVER}tokens/token-rows.ts`, FINDERS, [
    ["const SEES_TOKEN = `${scopeCondition('t.customer_id', null)}", 'const SEES_TOKEN = `($2::text is null or true)'],
    [
      "i.id = any($1::int[]) and ${scopeCondition('i.customer_id', null)}",
      'i.id = any($1::int[]) and ($2::text is null or true)',
    ],
    [
      "u.id = any($1::int[]) and ${scopeCondition('s.customer_id', null)}",
      'u.id = any($1::int[]) and ($2::text is null or true)',
    ],
  ]),
  ...of(`${SERVER}shares/share-rows.ts`, EXPLAINED, [
    ['toSee: own ? [] : [OVERSEE_SHARES],', 'toSee: [],'],
    ['(s.created_by = $3 or ($4 and', '(s.created_by = $3 or ($4 or true and'],
  ]),
  ...of(`${SERVER}attachments/attachment-rows.ts`, EXPLAINED, [
    ['(a.read_level >= $5 and', '(($5::int is not null) and'],
    ['and (a.site_id is null or $3::int[] is null or a.site_id = any($3::int[]))\n', '\n'],
    ['and (f.site_id is null or $3::int[] is null or f.site_id = any($3::int[]))`', '`'],
    ["and ${scopeCondition('d.customer_id', 'd.site_id')}))`", '))`'],
    ['(${OPENS_FILE} or $9::boolean and exists (', '(${OPENS_FILE} or ($9::boolean or true) and exists ('],
  ]),
  ...of(`${SERVER}platform/http/validation.ts`, INPUTS, [
    ['(day) => isDay(day) && isWritableTime(new Date(day))', '(day) => isDay(day)'],
    ['(time) => isTime(time) && isWritableTime(new Date(time))', '(time) => isTime(time)'],
    ["(httpPart === 'body' ? body : text)", 'text'],
    ['if (compiled(value)) return { value };', 'return { value };'],
    ['Number(params.limit) === 1\n', 'false\n'],
    [
      "'fieldUnknown', at(String(params.additionalProperty).slice(0, 64))",
      "'fieldUnknown', at(String(params.additionalProperty))",
    ],
  ]),
  ...of(`${SERVER}ingest/lane.ts`, LANE, [
    ['if (bytes > BATCH_BYTES) break;', ''],
    ['Math.min(waiting.length, BATCH_LIMIT)', 'waiting.length'],
    ['if (parts.isFaultOfData(error)) return refuse(batch, error);', ''],
    ['await settle(batch.slice(middle));', ''],
    ['if (now() >= giveUpAt) {', 'if (false) {'],
    ['for (const submission of batch) submission.resolve(submission.stored);', 'batch[0]?.resolve(batch[0].stored);'],
    ['only.reject(error);', ''],
    ['wake?.();', ''],
    ['busy ??= run();', 'busy = run();'],
  ]),
  ...of(`${SERVER}ingest/batch/store-batch.ts`, SINK, [
    ['    await client.query(claimBatch(batchId, parts.epoch));\n', ''],
    ["if (event.kind === 'connected') connected.push(deviceId);", ''],
    ['(await parts.storeConfirmations?.(client, confirmations(sorted))) ?? []', '[]'],
    ['await storeParameters(client, sorted.parameters, secretsOf);', ''],
    ['await storeTexts(client, sorted.texts, secretsOf);', ''],
    ["await client.query('commit');", "await client.query('rollback');"],
    ['if (!isClaimed(error)) throw error;\n    }', '}'],
    ['await storeTransactions(client, sorted.transactionStarted, []);', ''],
    ['client.release(broken && isLost(broken) ? broken : undefined);', 'client.release();'],
    ['isUsual(sorted) && isQuiet(', 'isUsual(sorted) || isQuiet('],
  ]),
  ...of(
    `${SERVER}ingest/batch/store-batch.ts`,
    [`${SERVER}operations/parameters/secret-parameters.test.ts`],
    [['const answer = withoutSecrets(event.answer, secretsOf(deviceId));', 'const answer = event.answer;']],
  ),
  ...of(`${SERVER}ingest/batch/batches.store.ts`, SINK, [
    ["code === '23505' && constraint === 'ingest_batches_pkey'", "code === '23505'"],
  ]),
  ...of(`${SERVER}ingest/sink.ts`, SINK, [
    ['(own > 0 && own + size > DEVICE_BYTES)', 'own + size > DEVICE_BYTES'],
    ['if (isFull && events.every(isTelemetry)) {', 'if (isFull) {'],
    ['statuses.changed(effects.touched);', ''],
    ['bytes -= submission.bytes;', ''],
    ['const events = storableParts(given);', 'const events = given;'],
    ['      stopped = true;\n', ''],
  ]),
  ...of(`${SERVER}access/guard.ts`, GUARD, [
    ["if (request.method !== 'GET') requireCsrf(request, caller);", ''],
    ['if (given.length !== expected.length || !timingSafeEqual', 'if (given.length === 0 || !timingSafeEqual'],
    ['admit(decideSession(accountOf(accountState), endpoint, { signsIn: !viewed }));', ''],
  ]),
  ...of(`${SERVER}access/sign-in/sessions.store.ts`, SESSIONS, [
    ['(s.expires_at <= now() or not u.enabled or not c.enabled)', '(not u.enabled or not c.enabled)'],
    ['order by created_at desc, id offset', 'order by created_at, id offset'],
    [
      'created_at + make_interval(hours => ${sessionHours})),\n           page',
      "now() + interval '1 year'),\n           page",
    ],
  ]),
  ...of('packages/domain/src/charging/tokens/decide-token.ts', TOKENS, [
    ['token.validUntil <= presented.at', 'token.validUntil < presented.at'],
    ['&& !token.concurrent)', ')'],
    ["if (device !== null) return { policy: device, level: 'device' };\n", ''],
  ]),
  ...of('packages/domain/src/links/link-rules.ts', LINKS, [
    ["return pages && kind === 'web';", 'return pages;'],
    ['facts.active >= MAX_LINKS_OF_DEVICE', 'facts.active > MAX_LINKS_OF_DEVICE'],
    ['hours === null || hours.from === hours.until', 'hours === null'],
  ]),
  ...of(`${SERVER}operations/sweeper.ts`, SWEEPS, [
    ['while (taken === SWEEP_ROWS && !signal.aborted)', 'while (false)'],
    ['await letReadsGiveWay(db);', ''],
    ['void parts.dispatcher.wake(deviceId);', 'void deviceId;'],
    ['await writeEnds(client, ends);', ''],
    ["for (const { deviceId } of ended) events.publish('device.executions', { id: deviceId });", ''],
  ]),
  ...of(`${SERVER}operations/executions.store.ts`, SWEEPS, [
    ["where e.state <> 'ended' and e.deadline_at <= now()", "where e.state <> 'ended'"],
    ["when s.connected is not true then 'lost'", "when false then 'lost'"],
    ["and s.connected_at > e.sent_at then 'lost'", "and false then 'lost'"],
  ]),
  ...of(`${SERVER}messages/channels/sends.store.ts`, SENDS, [
    ['where id = ${send.id} and attempts = ${send.attempts}`.execute(db);', 'where id = ${send.id}`.execute(db);'],
    [
      'set attempts = attempts + 1, tries = tries + 1, leased = true,',
      'set attempts = attempts + 1, tries = tries + 1, leased = false,',
    ],
  ]),
];
