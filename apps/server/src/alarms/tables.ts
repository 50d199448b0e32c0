import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    alarms: AlarmsTable;
    alarm_comments: AlarmCommentsTable;
    alarm_codes: AlarmCodesTable;
    alarm_rule_states: AlarmRuleStatesTable;
    device_events: DeviceEventsTable;
  }
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
  /** of the device when the alarm was raised, filled by the same trigger; null: unknown */
  soft_version: Generated<string | null>;
  severity: GeneratedAlways<number>;
  reopened: Generated<number>;
  suppressed: Generated<boolean>;
  /** the source that may end it: `ALARM_SOURCES` of the domain */
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
