import { type Bilingual, MAX_CLOCK_LEAD_MS, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope } from '../../ports/devices/device-scope.ts';
import type { LayoutItem } from '../layouts.ts';

/** A connector as it was last reported. */
export interface ConnectorRecord {
  connector: number;
  status: string;
  errorCode: string;
  vendorErrorCode: string | null;
  info: string | null;
  since: Date;
  updatedAt: Date;
}

export interface OpenTransaction {
  id: number;
  connector: number;
  idTag: string;
  startedAt: Date;
  meterStart: number;
}

/** The newest reading of one layout on a connector. */
export interface LatestReading {
  connector: number;
  layoutId: number;
  items: LayoutItem[];
  at: Date;
  analog: number[];
  counters: number[];
}

/** The connectors of a device in scope, by number. */
export async function listConnectors(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<ConnectorRecord[]> {
  const { rows } = await sql<ConnectorRecord>`
    select connector, status, error_code as "errorCode", vendor_error_code as "vendorErrorCode", info, since,
           updated_at as "updatedAt"
      from connectors where device_id = ${deviceInScope(scope, deviceId)} order by connector`.execute(db);
  return rows;
}

/** The names of alarm codes for a model: its own, else those for all models. */
export async function namesOfCodes(
  db: Kysely<Database>,
  deviceModelId: number,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Bilingual>> {
  if (codes.length === 0) return new Map();
  const { rows } = await sql<{ code: string } & Bilingual>`
    select distinct on (code) code, name_en as en, name_zh as zh from alarm_codes
     where code = any(${codes}) and (device_model_id = ${deviceModelId} or device_model_id is null)
     order by code, device_model_id nulls last`.execute(db);
  return new Map(rows.map(({ code, en, zh }) => [code, { en, zh }]));
}

/** The open charging sessions on a device in scope, the newest first. */
export async function listOpenTransactions(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
): Promise<OpenTransaction[]> {
  const { rows } = await sql<OpenTransaction>`
    select id, connector, id_tag as "idTag", started_at as "startedAt", meter_start as "meterStart"
      from transactions where device_id = ${deviceInScope(scope, deviceId)} and stopped_at is null
     order by started_at desc, id desc`.execute(db);
  return rows;
}

/**
 * The newest reading of every layout of a device in scope, oldest first. Readings with a future time come before them.
 */
export async function listLatestReadings(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  connector?: number,
): Promise<LatestReading[]> {
  const { rows } = await sql<LatestReading>`
    select latest.connector, latest.layout_id as "layoutId", layout.items, latest.at, latest.analog, latest.counters
      from latest_readings latest join reading_layouts layout on layout.id = latest.layout_id
     where latest.device_id = ${deviceInScope(scope, deviceId)}
       and ${connector === undefined ? sql`true` : sql`latest.connector = ${connector}`}
     order by latest.at <= ${new Date(Date.now() + MAX_CLOCK_LEAD_MS)}, latest.at, latest.layout_id`.execute(db);
  return rows;
}

/** The latest texts of a connector. */
export interface LatestText {
  connector: number;
  key: string;
  value: string;
  at: Date;
}

/** The latest texts of a device in scope, by connector and key. */
export async function listLatestTexts(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<LatestText[]> {
  const { rows } = await sql<LatestText>`
    select connector, key, value, at from latest_texts
     where device_id = ${deviceInScope(scope, deviceId)} order by connector, ${naturally(sql`key`)}`.execute(db);
  return rows;
}

/** A parameter as a device reported it. */
export interface ReportedParameter {
  key: string;
  value: string | null;
  readAt: Date;
}

/** The reported parameters of a device in scope. */
export async function listReportedParameters(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
): Promise<ReportedParameter[]> {
  const { rows } = await sql<ReportedParameter>`
    select key, value, read_at as "readAt" from device_parameters
     where device_id = ${deviceInScope(scope, deviceId)} order by ${naturally(sql`key`)}`.execute(db);
  return rows;
}
