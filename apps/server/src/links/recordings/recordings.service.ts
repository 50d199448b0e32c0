import type { AnswerOf, linkEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isUnchanged } from '../terminal/recorder.ts';
import { findRecording } from '../terminal/recordings.store.ts';
import type { Sealer } from './seal.ts';

export type RecordingsService = ReturnType<typeof recordingsService>;

/** Recordings of links, as evidence. */
export function recordingsService({ db, sealer }: { db: Kysely<Database>; sealer: Sealer }) {
  return {
    async check(linkId: number, id: number): Promise<AnswerOf<(typeof linkEndpoints)['checkRecording']>> {
      const recording = await findRecording(db, linkId, id);
      if (!recording) throw notFound('linkRecording');
      return { seal: (await isUnchanged({ db, sealer }, linkId, recording)) ? 'unchanged' : 'changed' };
    },
  };
}
