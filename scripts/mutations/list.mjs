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
const SINK = [`${SERVER}ingest/sink.test.ts`, `${SERVER}ingest/sink-queue.test.ts`];
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
  ...of(`${SERVER}shares/share-rows.ts`, EXPLAINED, [
    ['toSee: own ? [] : [OVERSEE_SHARES],', 'toSee: [],'],
    ['(s.created_by = $3 or ($4 and', '(s.created_by = $3 or ($4 or true and'],
  ]),
  ...of(`${SERVER}attachments/attachment-rows.ts`, EXPLAINED, [
    ['(a.read_level >= $5 and', '(($5::int is not null) and'],
    ['and (a.site_id is null or $3::int[] is null or a.site_id = any($3::int[]))\n', '\n'],
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
    ['    await client.query(claimBatch(batchId));\n', ''],
    ["await client.query('commit');", "await client.query('rollback');"],
    ['if (!isClaimed(error)) throw error;\n    }', '}'],
    ['await storeTransactions(client, sorted.transactionStarted, []);', ''],
    ['client.release(broken && isLost(broken) ? broken : undefined);', 'client.release();'],
    ['const answer = withoutSecrets(event.answer, secretsOf(deviceId));', 'const answer = event.answer;'],
    ['isUsual(sorted) && isQuiet(', 'isUsual(sorted) || isQuiet('],
  ]),
  ...of(`${SERVER}ingest/batch/batches.store.ts`, SINK, [
    ["code === '23505' && constraint === 'ingest_batches_pkey'", "code === '23505'"],
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
