import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A jsonb column: read as parsed, written as text. */
type Json<T = unknown> = ColumnType<T, string | null | undefined, string | null>;

/** The tables as the migrations make them; `bigint` is read as a number (ids stay far below 2^53), `date` as `yyyy-MM-dd`. */
export interface Database {
  customers: CustomersTable;
  sites: SitesTable;
  item_groups: ItemGroupsTable;
  data_items: DataItemsTable;
  device_models: DeviceModelsTable;
  device_model_items: DeviceModelItemsTable;
  device_model_controls: DeviceModelControlsTable;
  device_model_versions: DeviceModelVersionsTable;
  device_model_aliases: DeviceModelAliasesTable;
  shipped_definitions: ShippedDefinitionsTable;
  devices: DevicesTable;
  device_states: DeviceStatesTable;
  connectors: ConnectorsTable;
  blacklist_entries: BlacklistEntriesTable;
  roles: RolesTable;
  menus: MenusTable;
  interfaces: InterfacesTable;
  menu_interfaces: MenuInterfacesTable;
  role_menus: RoleMenusTable;
  users: UsersTable;
  user_customers: UserCustomersTable;
  user_sites: UserSitesTable;
  account_links: AccountLinksTable;
  outgoing_mails: OutgoingMailsTable;
  sessions: SessionsTable;
  viewings: ViewingsTable;
  privacy_policies: PrivacyPoliciesTable;
  privacy_acceptances: PrivacyAcceptancesTable;
  privacy_drafts: PrivacyDraftsTable;
  server_secrets: ServerSecretsTable;
  spent_tokens: SpentTokensTable;
  sign_in_failures: SignInFailuresTable;
  anonymous_uploads: AnonymousUploadsTable;
  login_logs: LoginLogsTable;
  action_logs: ActionLogsTable;
  protocol_frames: ProtocolFramesTable;
  reading_layouts: ReadingLayoutsTable;
  readings: ReadingsTable;
  readings_5m: RollupTable;
  readings_1h: RollupTable;
  readings_1d: RollupTable;
  reading_marks: ReadingMarksTable;
  rollup_marks: RollupMarksTable;
  latest_readings: LatestReadingsTable;
  latest_texts: LatestTextsTable;
  transactions: TransactionsTable;
  alarms: AlarmsTable;
  device_maintenances: DeviceMaintenancesTable;
  device_images: DeviceImagesTable;
  alarm_comments: AlarmCommentsTable;
  alarm_codes: AlarmCodesTable;
  device_model_rules: DeviceModelRulesTable;
  alarm_rule_states: AlarmRuleStatesTable;
  device_events: DeviceEventsTable;
  commands: CommandsTable;
  executions: ExecutionsTable;
  command_batches: CommandBatchesTable;
  device_parameters: DeviceParametersTable;
  parameter_history: ParameterHistoryTable;
  parameter_baselines: ParameterBaselinesTable;
  parameter_baseline_values: ParameterBaselineValuesTable;
  firmware_files: FirmwareFilesTable;
  firmware_models: FirmwareModelsTable;
  transfers: TransfersTable;
  transfer_reports: TransferReportsTable;
  device_logs: DeviceLogsTable;
  ingest_batches: IngestBatchesTable;
  removed_devices: RemovedDevicesTable;
  user_preferences: UserPreferencesTable;
  site_receivers: SiteReceiversTable;
  device_status_spans: DeviceStatusSpansTable;
  server_beats: ServerBeatsTable;
  server_gaps: ServerGapsTable;
  traffic_hours: TrafficHoursTable;
}

interface CustomersTable {
  id: GeneratedAlways<number>;
  code: string;
  name: string;
  contact: Generated<string>;
  address: Generated<string>;
  country: string | null;
  province: string | null;
  city: string | null;
  logo: Generated<string | null>;
  platform_vendor: Generated<boolean>;
  read_only: Generated<boolean>;
  enabled: Generated<boolean>;
  created_at: Generated<Date>;
}

interface SitesTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  code: string;
  name: string;
  contact: Generated<string>;
  phone: Generated<string>;
  address: Generated<string>;
  build_date: string | null;
  country: string | null;
  province: string | null;
  city: string | null;
  latitude: number | null;
  longitude: number | null;
  image: Generated<string | null>;
  enabled: Generated<boolean>;
  created_at: Generated<Date>;
}

interface DeviceModelsTable {
  id: GeneratedAlways<number>;
  name: string;
  type: number;
  parent_id: number | null;
  vendor: Generated<string>;
  tolerant: Generated<boolean>;
  parameter_read_level: Generated<number>;
  parameter_write_level: Generated<number>;
  control_level: Generated<number>;
  created_at: Generated<Date>;
  version: Generated<number>;
  ssh_support: Generated<boolean>;
  web_support: Generated<boolean>;
  image_key: Generated<string | null>;
  icon_key: Generated<string | null>;
  changed_by: Generated<string>;
  changed_at: Generated<Date>;
}

interface ItemGroupsTable {
  id: GeneratedAlways<number>;
  name_en: string;
  name_zh: string;
  position: number;
  created_at: Generated<Date>;
}

interface DataItemsTable {
  id: GeneratedAlways<number>;
  key: string;
  name_en: string;
  name_zh: string;
  group_id: number;
  type: number;
  range: string;
  unit: string;
  position: number;
  created_at: Generated<Date>;
}

interface DeviceModelItemsTable {
  device_model_id: number;
  kind: string;
  data_item_id: number;
  type: number;
  removed: boolean;
  group_id: number | null;
  range: string | null;
  unit: string | null;
  priority: number;
  read_level: number;
  write_level: number;
  batch: boolean;
}

interface DeviceModelControlsTable {
  device_model_id: number;
  control_type: number;
  removed: boolean;
  name_en: string;
  name_zh: string;
  level: number;
  write_level: number;
  param1_en: string | null;
  param1_zh: string | null;
  param2_en: string | null;
  param2_zh: string | null;
  reading: string | null;
  precondition: string | null;
}

interface DeviceModelVersionsTable {
  device_model_id: number;
  version: number;
  at: Generated<Date>;
  changed_by: string;
  description: Json;
}

interface DeviceModelAliasesTable {
  id: GeneratedAlways<number>;
  device_model_id: number;
  vendor: string;
  model: string;
  created_at: Generated<Date>;
}

interface ShippedDefinitionsTable {
  key: string;
  shipped_at: Generated<Date>;
}

interface DevicesTable {
  id: GeneratedAlways<number>;
  sn: string;
  name: string;
  site_id: number;
  customer_id: number;
  device_model_id: number;
  status: Generated<string>;
  status_since: Generated<Date>;
  enabled: Generated<boolean>;
  maintenance: Generated<boolean>;
  soft_version: Generated<string>;
  install_date: string | null;
  arrival_date: string | null;
  maintenance_cycle_days: number | null;
  maintained_at: Date | null;
  /** at infinity for a device without a maintenance cycle */
  maintenance_due_at: GeneratedAlways<Date>;
  gateway_password_hash: string | null;
  created_at: Generated<Date>;
}

interface DeviceMaintenancesTable {
  id: GeneratedAlways<number>;
  device_id: number;
  began_at: Generated<Date>;
  began_by: number | null;
  began_by_name: string;
  ended_at: Date | null;
  ended_by_name: string | null;
  note: Generated<string>;
  maintained: Generated<boolean>;
  unmaintained_days: number | null;
  runtime_seconds: number | null;
}

interface DeviceImagesTable {
  id: GeneratedAlways<number>;
  device_id: number;
  key: string;
  position: number;
  added_at: Generated<Date>;
  added_by_name: string;
}

interface DeviceStatesTable {
  device_id: number;
  connected: Generated<boolean>;
  connection_id: string | null;
  node: string | null;
  protocol: string | null;
  remote_address: string | null;
  connected_at: Date | null;
  disconnected_at: Date | null;
  disconnect_reason: string | null;
  disconnect_detail: string | null;
  booted_at: Date | null;
  boot: Json<unknown>;
  last_seen_at: Date | null;
  clock_skew_ms: number | null;
  firmware_status: string | null;
  diagnostics_status: string | null;
  offline_due_at: Date | null;
  total_runtime_seconds: Generated<number>;
}

interface ConnectorsTable {
  device_id: number;
  connector: number;
  status: string;
  error_code: Generated<string>;
  vendor_error_code: string | null;
  info: string | null;
  since: Date;
  updated_at: Date;
}

interface BlacklistEntriesTable {
  id: GeneratedAlways<number>;
  sn: string;
  mac: string | null;
  protocol_version: string;
  remote_address: string;
  vendor: string | null;
  model: string | null;
  registered_at: Generated<Date>;
  last_attempt_at: Generated<Date>;
  attempts: Generated<number>;
}

interface RolesTable {
  id: GeneratedAlways<number>;
  name: string;
  customer_access: number;
  site_access: number;
  remote_access: Generated<number>;
  levels: Json;
  email_alarm: Generated<boolean>;
  created_at: Generated<Date>;
}

interface MenusTable {
  key: string;
  parent_key: string | null;
  name_en: string;
  name_zh: Generated<string>;
  url: Generated<string>;
  sort: Generated<number>;
  common: Generated<boolean>;
  built_in: Generated<boolean>;
}

interface InterfacesTable {
  id: string;
  name_en: string;
  name_zh: Generated<string>;
  method: string;
  url: string;
  common: Generated<boolean>;
  declared_access: string;
}

interface MenuInterfacesTable {
  menu_key: string;
  interface_id: string;
}

interface RoleMenusTable {
  role_id: number;
  menu_key: string;
}

interface UsersTable {
  id: GeneratedAlways<number>;
  user_name: string;
  nick_name: Generated<string>;
  email: string | null;
  password_hash: string;
  customer_id: number;
  role_id: number | null;
  root: Generated<boolean>;
  enabled: Generated<boolean>;
  locale: Generated<'en-US' | 'zh-CN'>;
  locale_chosen: Generated<boolean>;
  theme: string | null;
  contact: Generated<string>;
  max_sites: number | null;
  password_state: Generated<'own' | 'given' | 'invited'>;
  created_at: Generated<Date>;
  avatar: Generated<string | null>;
}

interface AccountLinksTable {
  user_id: number;
  purpose: 'resetPassword' | 'invitation' | 'changeEmail';
  token_hash: Buffer;
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface OutgoingMailsTable {
  id: GeneratedAlways<number>;
  message_id: Generated<string>;
  receiver: string;
  locale: 'en-US' | 'zh-CN';
  subject: string;
  body_text: string | null;
  body_html: string | null;
  created_at: Generated<Date>;
  secret_until: Date | null;
  attempts: Generated<number>;
  next_attempt_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  sent_at: Date | null;
  last_error: string | null;
  state: ColumnType<'sent' | 'waiting' | 'failed' | 'expired', never, never>;
}

interface UserCustomersTable {
  user_id: number;
  customer_id: number;
}

interface UserSitesTable {
  user_id: number;
  site_id: number;
}

interface SessionsTable {
  id: string;
  token_hash: Buffer;
  csrf: string;
  /** null once the account was removed */
  user_id: number | null;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  end_reason: string | null;
  address: string;
  user_agent: string;
  number: GeneratedAlways<number>;
  page: string | null;
  end_cause: string | null;
  end_note: string | null;
}

interface ViewingsTable {
  session_id: string;
  viewed_id: number | null;
  viewed_name: string;
  viewed_customer_id: number | null;
  since: Generated<Date>;
  until: Date;
  ended_at: Date | null;
}

interface PrivacyPoliciesTable {
  version: Generated<number>;
  content_en: string;
  content_zh: string;
  published_at: Generated<Date>;
  published_by: Generated<string>;
}

interface PrivacyDraftsTable {
  id: Generated<number>;
  content_en: string;
  content_zh: string;
  updated_at: Generated<Date>;
  updated_by: string;
}

interface PrivacyAcceptancesTable {
  user_id: number;
  version: number;
  accepted_at: Generated<Date>;
}

interface ServerSecretsTable {
  name: string;
  value: string;
  created_at: Generated<Date>;
}

interface SpentTokensTable {
  token: string;
  expires_at: Date;
}

interface SignInFailuresTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

interface AnonymousUploadsTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

interface LoginLogsTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  type: number;
  reason: string | null;
  succeeded: boolean;
  user_id: number | null;
  user_name: string;
  address: string;
  user_agent: string;
  end_cause: string | null;
  end_note: string | null;
}

interface ActionLogsTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  user_id: number | null;
  user_name: string;
  operation: string;
  object_type: string;
  object_id: string;
  object_name: string;
  customer_id: number | null;
  site_id: number | null;
  before: Json<unknown>;
  after: Json<unknown>;
  address: string;
}

interface ProtocolFramesTable {
  id: GeneratedAlways<number | null>;
  device_id: number;
  connection_id: string | null;
  at: Date;
  type: number;
  action: string | null;
  message_id: string | null;
  body: string | null;
  bytes: Generated<number>;
  note: string | null;
}

interface ReadingLayoutsTable {
  id: GeneratedAlways<number>;
  items: Json;
}

interface ReadingsTable {
  device_id: number;
  connector: number;
  at: Date;
  received_at: Date;
  layout_id: number;
  transaction_id: number | null;
  analog: number[];
  counters: number[];
}

interface RollupTable {
  device_id: number;
  connector: number;
  layout_id: number;
  at: Date;
  readings: number;
  first_at: Date;
  last_at: Date;
  low: number[];
  high: number[];
  mean: number[];
  counter_first: number[];
  counter_last: number[];
  counter_high: number[];
}

interface ReadingMarksTable {
  device_id: number;
  at: Date;
}

interface RollupMarksTable {
  level: 'hour' | 'day';
  device_id: number;
  at: Date;
}

interface LatestReadingsTable {
  device_id: number;
  connector: number;
  layout_id: number;
  at: Date;
  analog: number[];
  counters: number[];
}

interface LatestTextsTable {
  device_id: number;
  connector: number;
  key: string;
  value: string;
  at: Date;
}

interface TransactionsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  connector: number;
  id_tag: string;
  meter_start: number;
  started_at: Date;
  meter_stop: number | null;
  stopped_at: Date | null;
  stop_id_tag: string | null;
  stop_reason: string | null;
  external_id: string | null;
  first_seq: number | null;
  last_seq: number | null;
  id_seq: number | null;
  meter_last: number | null;
}

interface AlarmsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  connector: number;
  code: string;
  kind: string;
  level: string;
  info: string | null;
  raised_at: Date;
  last_at: Date;
  repeats: Generated<number>;
  acknowledged_at: Date | null;
  acknowledged_by: number | null;
  acknowledged_by_name: string | null;
  acknowledged_note: string | null;
  cleared_at: Date | null;
  /** filled from the device by a trigger */
  site_id: GeneratedAlways<number>;
  customer_id: GeneratedAlways<number>;
  device_model_id: GeneratedAlways<number | null>;
  severity: GeneratedAlways<number>;
  reopened: Generated<number>;
  suppressed: Generated<boolean>;
  /** whose word ends it: `ALARM_SOURCES` of the domain */
  source: Generated<string>;
  /** the rule that raised it, and the value; generated, because fixtures and status reports have none */
  rule: Generated<unknown>;
}

interface AlarmCommentsTable {
  id: GeneratedAlways<number>;
  alarm_id: number;
  at: Generated<Date>;
  user_id: number | null;
  user_name: string;
  text: string;
}

interface AlarmCodesTable {
  id: GeneratedAlways<number>;
  device_model_id: number | null;
  code: string;
  name_en: string;
  name_zh: string;
  kind: string | null;
  level: string | null;
}

interface DeviceModelRulesTable {
  device_model_id: number;
  code: string;
  removed: boolean;
  enabled: boolean;
  name_en: string;
  name_zh: string;
  kind: string;
  level: string;
  data_item_id: number;
  type: number;
  connector: number | null;
  condition: string;
  low: number | null;
  high: number | null;
  named_values: string[];
  hysteresis: number;
  duration_seconds: number;
}

interface AlarmRuleStatesTable {
  device_id: number;
  connector: number;
  code: string;
  print: string;
  since: Date;
  value: string | null;
  raised: boolean;
  due_at: Date | null;
}

interface DeviceEventsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  connector: Generated<number>;
  type: number;
  at: Date;
  code: string;
  detail: string | null;
  ended_at: Date | null;
  source: Generated<string>;
  rule_name: Generated<unknown>;
  /** filled from the device by a trigger */
  site_id: GeneratedAlways<number>;
  customer_id: GeneratedAlways<number>;
}

interface CommandsTable {
  id: GeneratedAlways<number>;
  kind: string;
  control_type: number;
  params: Json;
  requested_by: number | null;
  requested_by_name: string;
  requested_at: Generated<Date>;
}

interface ExecutionsTable {
  id: string;
  command_id: number;
  device_id: number;
  connector: Generated<number>;
  state: Generated<string>;
  result: Generated<number>;
  reason: string | null;
  detail: string | null;
  answer: Json<unknown>;
  queued_at: Generated<Date>;
  sent_at: Date | null;
  deadline_at: Date;
  ended_at: Date | null;
  late_answer_at: Date | null;
  verifies: string | null;
  read_back: string | null;
  batch_id: number | null;
  refused: Generated<boolean>;
  waits_until: Date | null;
  precondition: string | null;
}

interface CommandBatchesTable {
  id: GeneratedAlways<number>;
  command_id: number;
  site_id: number;
  customer_id: number;
  connector: number;
  parallel: number;
  stop_after: number | null;
  level: number;
  value_level: number;
  queue_minutes: number | null;
  rerun_of: number | null;
  stopped_at: Date | null;
  stop_reason: string | null;
  stopped_by_name: string | null;
  ended_at: Date | null;
  /** what became of its devices: written by triggers on `executions` alone */
  queued: GeneratedAlways<number>;
  in_flight: GeneratedAlways<number>;
  succeeded: GeneratedAlways<number>;
  failed: GeneratedAlways<number>;
  timed_out: GeneratedAlways<number>;
  offline: GeneratedAlways<number>;
  cancelled: GeneratedAlways<number>;
  refused: GeneratedAlways<number>;
}

interface FirmwareFilesTable {
  id: GeneratedAlways<number>;
  kind: string;
  version: string;
  file_name: string;
  object_key: string;
  size: number;
  sha256: string;
  note: Generated<string>;
  uploaded_by: number | null;
  uploaded_by_name: string;
  uploaded_at: Generated<Date>;
}

interface FirmwareModelsTable {
  firmware_id: number;
  device_model_id: number;
}

interface TransfersTable {
  id: GeneratedAlways<number>;
  execution_id: string;
  device_id: number;
  kind: string;
  transport: string;
  firmware_id: number | null;
  version: string | null;
  former_version: string | null;
  file_name: string | null;
  object_key: string | null;
  size: number | null;
  sha256: string | null;
  log_type: string | null;
  log_from: Date | null;
  log_to: Date | null;
  state: Generated<string>;
  reason: string | null;
  detail: string | null;
  failures: Generated<number>;
  bytes: Generated<number>;
  credential_hash: string | null;
  deliveries: Generated<number>;
  requested_by: number | null;
  requested_by_name: string;
  requested_at: Generated<Date>;
  asked_at: Date | null;
  version_asked_at: Date | null;
  deadline_at: Date;
  ended_at: Date | null;
}

interface TransferReportsTable {
  transfer_id: number;
  seq: number;
  at: Date;
  word: string;
  state: string;
}

interface DeviceLogsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  transfer_id: number | null;
  type: string;
  file_name: string;
  object_key: string;
  size: number;
  sha256: string;
  log_from: Date | null;
  log_to: Date | null;
  requested_by_name: string;
  received_at: Generated<Date>;
}

interface DeviceParametersTable {
  device_id: number;
  key: string;
  value: string | null;
  readonly: boolean;
  read_at: Date;
}

interface ParameterHistoryTable {
  id: GeneratedAlways<number>;
  device_id: number;
  key: string;
  value: string | null;
  at: Date;
  source: string;
  execution_id: string | null;
  changed_by: string | null;
}

interface ParameterBaselinesTable {
  id: GeneratedAlways<number>;
  device_model_id: number;
  customer_id: number | null;
  name: string;
  device_name: string;
  created_by: string;
  created_at: Generated<Date>;
}

interface ParameterBaselineValuesTable {
  baseline_id: number;
  key: string;
  value: string;
}

interface IngestBatchesTable {
  id: string;
  at: Generated<Date>;
}

interface RemovedDevicesTable {
  device_id: number;
  removed_at: Generated<Date>;
}

interface UserPreferencesTable {
  user_id: number;
  key: string;
  value: Json;
  updated_at: Generated<Date>;
}

interface SiteReceiversTable {
  site_id: number;
  user_id: number;
  added_at: Generated<Date>;
}

/** Written by triggers on `devices`. */
interface DeviceStatusSpansTable {
  device_id: number;
  site_id: number;
  status: string;
  began_at: Date;
  /** `infinity` for the present span */
  ended_at: Generated<Date | number>;
}

interface ServerBeatsTable {
  node: string;
  at: Date;
}

interface ServerGapsTable {
  id: GeneratedAlways<number>;
  began_at: Date;
  ended_at: Date;
}

interface TrafficHoursTable {
  site_id: number;
  at: Date;
  device_id: number;
  received: number;
  sent: number;
}
