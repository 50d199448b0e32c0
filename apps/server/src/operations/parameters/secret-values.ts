import { type Kysely, sql } from 'kysely';
import { modelsWithSecrets } from '../../models/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { eraseSecretTexts } from '../../telemetry/index.ts';

/**
 * The delay before values are erased a second time after a model has changed: batches that were in progress are
 * committed by then.
 */
const ERASE_MS = 10_000;

/** Erases stored values of parameters that models mark as secret: at start, and when models have changed. */
export interface SecretValues extends ScheduledJob {
  /** The contents of models, or the models of devices, have changed. */
  modelsChanged(): void;
}

export function secretValues({ db, clock, log }: { db: Kysely<Database>; clock: Clock; log: Log }): SecretValues {
  let due = true;
  const job = clock.repeat(
    async () => {
      if (!due) return;
      due = false;
      await eraseSecretValues(db).catch((error) => {
        due = true;
        throw error;
      });
    },
    {
      job: 'parameterSecrets',
      everyMs: ERASE_MS,
      log,
      failed: 'stored values of secret parameters could not be erased; trying again every ten seconds',
      again: 'stored values of secret parameters are erased again',
    },
  );
  return {
    ...job,
    modelsChanged() {
      due = true;
    },
  };
}

/**
 * Erases the values that were stored before their parameter was marked, or before the device got its model. The history
 * keeps the times of changes. Commands, answers and the protocol log keep their contents, which are masked when read.
 */
async function eraseSecretValues(db: Kysely<Database>): Promise<void> {
  for (const { deviceModelId, secrets } of await modelsWithSecrets(db)) {
    const keys = [...secrets.keys];
    await sql`
      update device_parameters p set value = null from devices d
       where d.id = p.device_id and d.device_model_id = ${deviceModelId} and p.value is not null
         and lower(p.key) = any (${keys}::text[])`.execute(db);
    await sql`
      update parameter_history h set value = null from devices d
       where d.id = h.device_id and d.device_model_id = ${deviceModelId} and h.value is not null
         and lower(h.key) = any (${keys}::text[])`.execute(db);
    await sql`
      delete from parameter_baseline_values v using parameter_baselines b
       where b.id = v.baseline_id and b.device_model_id = ${deviceModelId}
         and lower(v.key) = any (${keys}::text[])`.execute(db);
    await eraseSecretTexts(db, deviceModelId, keys);
  }
}
