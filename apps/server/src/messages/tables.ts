import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    notices: NoticesTable;
    incidents: IncidentsTable;
    incident_members: IncidentMembersTable;
    incident_receivers: IncidentReceiversTable;
    incident_webhooks: IncidentWebhooksTable;
    messages: MessagesTable;
    message_mails: MessageMailsTable;
    message_settings: MessageSettingsTable;
    role_message_settings: RoleMessageSettingsTable;
    message_times: MessageTimesTable;
    message_mutes: MessageMutesTable;
    on_call_shifts: OnCallShiftsTable;
    on_call_settings: OnCallSettingsTable;
    push_subscriptions: PushSubscriptionsTable;
    webhooks: WebhooksTable;
    message_sends: MessageSendsTable;
    message_templates: MessageTemplatesTable;
  }
}

interface NoticesTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  type: string;
  key: string;
  ended: Generated<boolean>;
  subject_kind: string;
  subject_id: string;
  customer_id: number | null;
  site_id: number | null;
  device_id: number | null;
  level: string | null;
  actor_id: number | null;
  user_ids: number[] | null;
  data: Generated<unknown>;
  not_before: Generated<Date | null>;
}

interface IncidentsTable {
  id: GeneratedAlways<number>;
  type: string;
  cause: string;
  level: string | null;
  customer_id: number | null;
  site_id: number | null;
  subject_kind: string;
  subject_id: string;
  device_id: number | null;
  data: unknown;
  types: Generated<unknown>;
  actor_id: number | null;
  user_ids: number[] | null;
  devices: number[];
  causes: Generated<unknown>;
  limited_until: Date | null;
  held: Generated<boolean>;
  members: number;
  open: number;
  opened_at: Date;
  waiting_since: Date;
  last_at: Date;
  recovered_at: Date | null;
  closed_at: Date | null;
  alerted_at: Date;
  returned: Generated<boolean>;
  acknowledged_at: Date | null;
  escalated_at: Date | null;
}

interface IncidentMembersTable {
  incident_id: number;
  key: string;
  over: Generated<boolean>;
}

interface IncidentReceiversTable {
  incident_id: number;
  user_id: number;
  type: string;
  on_duty: Generated<boolean>;
  causes: Generated<string[]>;
}

interface IncidentWebhooksTable {
  incident_id: number;
  webhook_id: number;
  type: string;
  causes: Generated<string[]>;
}

interface MessagesTable {
  id: GeneratedAlways<number>;
  user_id: number;
  incident_id: number;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  read_at: Date | null;
  processed_at: Date | null;
}

interface MessageMailsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  thread: string;
  incident_ids: number[];
  urgency: Generated<number>;
  created_at: Generated<Date>;
  due_at: Date;
  written_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  mail_id: number | null;
}

interface MessageSettingsTable {
  user_id: number;
  type: string;
  in_app: boolean;
  email: boolean;
  push: Generated<boolean>;
  delayed: boolean;
}

interface RoleMessageSettingsTable {
  role_id: number;
  type: string;
  in_app: boolean;
  email: boolean;
  push: Generated<boolean>;
  delayed: boolean;
}

interface MessageTimesTable {
  user_id: number;
  quiet_from: number | null;
  quiet_to: number | null;
  digest_at: number;
}

interface MessageMutesTable {
  id: GeneratedAlways<number>;
  user_id: number;
  device_id: number | null;
  site_id: number | null;
  until: Date;
}

interface PushSubscriptionsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  session_id: string | null;
  endpoint: string;
  keys: string;
  user_agent: string;
  created_at: Generated<Date>;
  used_at: Date | null;
}

interface WebhooksTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  name: string;
  url: string;
  format: string;
  types: string[];
  site_ids: number[];
  locale: 'en-US' | 'zh-CN';
  enabled: Generated<boolean>;
  secret: string | null;
  previous_secret: string | null;
  previous_secret_until: Date | null;
  created_at: Generated<Date>;
}

interface MessageSendsTable {
  id: GeneratedAlways<number>;
  channel: 'email' | 'webhook' | 'push';
  message_id: Generated<string>;
  customer_id: number;
  user_id: number | null;
  webhook_id: number | null;
  subscription_id: number | null;
  mail_id: number | null;
  receiver: string;
  type: string | null;
  incident_id: number | null;
  content: string | null;
  created_at: Generated<Date>;
  state: Generated<'waiting' | 'sent' | 'failed' | 'dropped'>;
  next_attempt_at: Date | null;
  leased: Generated<boolean>;
  attempts: Generated<number>;
  tries: Generated<number>;
  sent_at: Date | null;
  log: Generated<unknown>;
}

interface MessageTemplatesTable {
  type: string;
  channel: string;
  locale: 'en-US' | 'zh-CN';
  subject: string;
  body: string;
  updated_at: Generated<Date>;
}

interface OnCallShiftsTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  site_id: number | null;
  user_id: number;
  substitute_id: number | null;
  begins_at: Date;
  ends_at: Date;
}

interface OnCallSettingsTable {
  customer_id: number;
  escalate_minutes: number;
}
