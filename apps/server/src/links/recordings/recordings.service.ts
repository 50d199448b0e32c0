import type { linkEndpoints, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { dayStamp } from '../../platform/http/serve/attachment.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { findLink } from '../links.store.ts';
import { deviceOf, record } from '../requests/link-row.ts';
import { castOf, isUnchanged } from '../terminal/recorder.ts';
import { findRecording, listRecordings } from '../terminal/recordings.store.ts';
import type { Sealer } from './seal.ts';

export type RecordingsService = ReturnType<typeof recordingsService>;

type Endpoints = typeof linkEndpoints;

/** Recordings of links, as evidence. */
export function recordingsService(parts: {
  db: Kysely<Database>;
  sealer: Sealer;
  /** encrypts what was typed */
  box: SecretBox;
}) {
  const { db, sealer, box } = parts;
  return {
    async list(linkId: number): Promise<ResultOf<Endpoints['listRecordings']>> {
      return { items: await listRecordings(db, linkId) };
    },

    /** What a terminal showed, or what was typed, as a file. */
    async file(
      caller: Caller,
      linkId: number,
      id: number,
      content: 'output' | 'input',
    ): Promise<{ name: string; lines: AsyncIterable<string> }> {
      const link = await findLink(db, linkId);
      const recording = link && (await findRecording(db, linkId, id));
      if (!recording) throw notFound('linkRecording');
      await db.transaction().execute(async (trx) => {
        await record(trx, caller, deviceOf(link), { link: link.kind, recording: content });
      });
      const name = `${link.deviceSn} ${dayStamp(recording.startedAt)} ${content}.cast`;
      return { name, lines: castOf({ db, box }, recording, content) };
    },

    async check(linkId: number, id: number): Promise<ResultOf<Endpoints['checkRecording']>> {
      const recording = await findRecording(db, linkId, id);
      if (!recording) throw notFound('linkRecording');
      return { seal: (await isUnchanged({ db, sealer }, linkId, recording)) ? 'unchanged' : 'changed' };
    },
  };
}
