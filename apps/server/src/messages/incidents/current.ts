import { currentIncident } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { readOpenCauses } from '../../alarms/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { findIncidents, type IncidentRecord, type TypeFacts } from './incidents.store.ts';

/** An incident as its open alarms are now. */
export type Current<I> = I & {
  /** as it was stored: decides about the receivers */
  stored: I;
  /** what titles say about the open causes, by the ID of their alarm */
  alarms: ReadonlyMap<string, TypeFacts>;
  /** who acknowledged one of its open alarms last; null: nobody */
  acknowledgedBy: string | null;
};

/** Incidents by id, as their open alarms are now: messages on all channels say what the alarms say. */
export async function findCurrent(db: Kysely<Database>, ids: readonly number[]): Promise<Current<IncidentRecord>[]> {
  return await currentOf(db, await findIncidents(db, ids));
}

/** Incidents as their open alarms are now, in the same order. */
export async function currentOf<I extends Pick<IncidentRecord, 'id' | 'level' | 'open' | 'devices' | 'causes'>>(
  db: Kysely<Database>,
  incidents: readonly I[],
): Promise<Current<I>[]> {
  const ids = incidents.map(({ id }) => id);
  const byIncident = Map.groupBy(await readOpenCauses(db, ids), ({ incidentId }) => incidentId);
  return incidents.map((incident) => {
    const causes = byIncident.get(incident.id) ?? [];
    const open = causes.map(({ cause, type, alarmId, code, connector, level, since, alarms, deviceIds: devices }) => ({
      ...{ cause, type, key: String(alarmId), code, connector, level, since: since.getTime(), open: alarms, devices },
    }));
    const alarms = causes.map(({ alarmId, level, data }) => {
      const subjectId = String(alarmId);
      return [subjectId, { level, subjectKind: 'alarm', subjectId, data }] as const;
    });
    return {
      ...currentIncident(incident, open),
      stored: incident,
      alarms: new Map(alarms),
      acknowledgedBy: causes.find(({ acknowledgedBy }) => acknowledgedBy !== null)?.acknowledgedBy ?? null,
    };
  });
}
