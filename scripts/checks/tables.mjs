// Checks that every table is written only by its owner, a single room of the server, that services and routes have no
// SQL, and that routes publish no events: services do, in the transaction of the change.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src');

/**
 * The tables of each room (folder of apps/server/src).
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const OWNED = {
  access: [
    'account_links',
    'interfaces',
    'menu_interfaces',
    'menus',
    'privacy_acceptances',
    'privacy_drafts',
    'privacy_policies',
    'recovery_codes',
    'role_menus',
    'roles',
    'second_factors',
    'server_secrets',
    'sessions',
    'sign_in_failures',
    'spent_tokens',
    'user_customers',
    'user_preferences',
    'user_sites',
    'users',
    'viewings',
  ],
  alarms: ['alarm_codes', 'alarm_comments', 'alarm_rule_states', 'alarms', 'device_events'],
  applications: [
    'application_days',
    'application_nonces',
    'application_secrets',
    'application_tokens',
    'application_webhooks',
    'applications',
    'open_event_positions',
    'open_event_sequences',
    'open_events',
    'webhook_deliveries',
  ],
  attachments: ['attachment_arrivals', 'attachment_quotas', 'attachment_uses', 'attachments', 'folders'],
  audit: [
    'action_logs',
    'error_groups',
    'error_hours',
    'error_occurrences',
    'frame_batches',
    'login_logs',
    'protocol_frames',
  ],
  backup: ['backups'],
  dictionaries: ['dictionary_changes', 'dictionary_entries'],
  documents: [
    'document_bindings',
    'document_categories',
    'document_drafts',
    'document_editors',
    'document_reads',
    'document_readers',
    'document_sections',
    'document_texts',
    'document_versions',
    'document_votes',
    'document_words',
    'documents',
    'shipped_texts',
  ],
  files: ['anonymous_uploads'],
  fleet: [
    'blacklist_entries',
    'connection_attempts',
    'connectors',
    'customers',
    'device_certificates',
    'device_images',
    'device_boots',
    'device_maintenances',
    'device_states',
    'device_status',
    'devices',
    'removed_devices',
    'site_receivers',
    'sites',
  ],
  ingest: ['ingest_batches'],
  issues: [
    'issue_comment_versions',
    'issue_entries',
    'issue_evidence',
    'issue_links',
    'issue_numbers',
    'issue_report_replies',
    'issue_report_uploads',
    'issue_reports',
    'issue_views',
    'issue_watchers',
    'issues',
    'report_links',
  ],
  links: ['link_activity', 'link_policies', 'link_recording_parts', 'link_recordings', 'links'],
  messages: [
    'incident_members',
    'incident_receivers',
    'incident_webhooks',
    'incidents',
    'message_mails',
    'message_mutes',
    'message_sends',
    'message_settings',
    'message_templates',
    'message_times',
    'messages',
    'notices',
    'on_call_settings',
    'on_call_shifts',
    'push_subscriptions',
    'role_message_settings',
    'webhooks',
  ],
  models: [
    'data_items',
    'device_model_aliases',
    'device_model_controls',
    'device_model_items',
    'device_model_rules',
    'device_model_versions',
    'device_models',
    'item_groups',
    'shipped_definitions',
  ],
  operations: [
    'command_batches',
    'commands',
    'device_parameters',
    'executions',
    'parameter_baseline_values',
    'parameter_baselines',
    'parameter_history',
    'password_changes',
  ],
  platform: [
    'bus_messages',
    'deletions',
    'job_leases',
    'nodes',
    'outgoing_holds',
    'outgoing_mails',
    'request_keys',
    'stored_objects',
  ],
  shares: ['share_uploads', 'share_uses', 'shares'],
  statistics: [
    'device_status_spans',
    'figure_changes',
    'server_beats',
    'server_gaps',
    'site_figure_days',
    'site_figure_hours',
    'site_figures',
    'site_power',
    'traffic_hours',
  ],
  system: ['job_runs', 'system_parameter_changes', 'system_parameters', 'system_samples'],
  telemetry: [
    'latest_readings',
    'latest_texts',
    'reading_batches',
    'reading_layouts',
    'reading_marks',
    'readings',
    'readings_1d',
    'readings_1h',
    'readings_5m',
    'rollup_marks',
    'transactions',
  ],
  tokens: [
    'device_token_lists',
    'removed_tokens',
    'token_books',
    'token_import_faults',
    'token_imports',
    'token_policies',
    'token_sites',
    'tokens',
    'unknown_tokens',
  ],
  transfers: ['device_logs', 'firmware_files', 'firmware_models', 'transfer_reports', 'transfers'],
};

/**
 * Rooms that write a table of another room, and why.
 * @type {Readonly<Record<string, string>>}
 */
const EXCEPTIONS = {
  'access customers': 'the first start creates the customer of the platform vendor with its administrator',
  'alarms device_states': 'taking a device that is due offline and its alarm are one transaction',
  'files users': 'a new avatar replaces the old one, in the same transaction',
  'fleet device_events': 'a lost connection and its event are one statement, so that neither exists alone',
  'fleet device_models': 'the demo fleet creates its model',
  'fleet password_changes': 'the sign-in with a new password ends the change, in the same statement',
  'fleet user_sites': 'who creates a site is assigned to it, in the same transaction',
  'operations server_secrets': 'keeps the key of device passwords that are on their way',
  'ports notices': 'every module announces notices in the transaction of their cause',
  'statistics ingest_batches': 'a batch of traffic claims its id as a batch of messages does',
  'telemetry connectors': 'a session event of OCPP 2.0.1 is a status report of its connector, in the same statement',
};

const TABLES = new Set(
  globSync('**/tables.ts', { cwd: SERVER }).flatMap((file) =>
    [...readFileSync(join(SERVER, file), 'utf8').matchAll(/^ {2,4}([a-z][a-z0-9_]+): \w+Table;$/gm)].map(
      ([, name]) => name ?? '',
    ),
  ),
);
const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?([a-z_0-9]+)|\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'([a-z_0-9]+)/g;

/** @type {Map<string, Set<string>>} */
const writers = new Map();
for (const file of globSync('**/*.ts', { cwd: SERVER }).sort()) {
  const path = file.replaceAll('\\', '/');
  if (/\.(test|full|s3|mqtt|clients|deploy|cluster)\.ts$|^testing\//.test(path)) continue;
  const room = path.split('/')[0] ?? '';
  for (const [, inSql, inCode] of readFileSync(join(SERVER, file), 'utf8').matchAll(WRITES)) {
    const table = inSql ?? inCode ?? '';
    if (!TABLES.has(table)) continue;
    writers.set(table, (writers.get(table) ?? new Set()).add(room));
  }
}
const owners = new Map(Object.entries(OWNED).flatMap(([room, tables]) => tables.map((table) => [table, room])));
const problems = [...TABLES].filter((table) => !owners.has(table)).map((table) => `${table} has no owner.`);
const used = new Set();
for (const [table, rooms] of writers) {
  for (const room of rooms) {
    if (owners.get(table) === room) continue;
    const exception = `${room} ${table}`;
    if (exception in EXCEPTIONS) used.add(exception);
    else problems.push(`${room} writes ${table}, which belongs to ${owners.get(table)}: call a function of that room.`);
  }
}
for (const exception of Object.keys(EXCEPTIONS)) {
  if (!used.has(exception)) problems.push(`The exception '${exception}' is not needed any more: remove it.`);
}
const SQL = /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/;
for (const file of globSync('**/*.{service,routes}.ts', { cwd: SERVER }).sort()) {
  const path = file.replaceAll('\\', '/');
  const text = readFileSync(join(SERVER, file), 'utf8');
  if (/\bevents\.publish\(/.test(text) && path.endsWith('.routes.ts'))
    problems.push(`${path} publishes an event: its service does it, with inTransaction.`);
  if (SQL.test(text)) problems.push(`${path} has SQL: move it into the store of its room.`);
}
if (problems.length > 0) {
  process.stderr.write(`scripts/checks/tables.mjs:\n  ${problems.join('\n  ')}\n`);
  process.exit(1);
}
process.stdout.write(
  `${TABLES.size} tables, each written by its owner only; ${used.size} exceptions with a reason; no SQL in services and routes\n`,
);
