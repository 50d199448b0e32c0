import { randomUUID } from 'node:crypto';
import { FILE_RULES, formatSize, type StoredFault, storedFault, uploadName } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore, Place } from '../platform/objects/store.ts';
import type { ChangedPicture, Pictures } from '../ports/pictures.ts';
import { imagesOf, incomingPrefixesOf } from './places.ts';

type Purpose = 'image' | 'icon';

const NOTHING: ChangedPicture = { key: undefined, settle: async () => undefined };

/**
 * Pictures of rows. An upload is in a folder where its user can still overwrite it. A row gets a copy in a place that
 * only the server writes to, and the content of the copy is checked.
 */
export function picturesService(parts: { store: ObjectStore; log: Log }): Pictures {
  const { store, log } = parts;
  const at = (key: string): Place => ({ bucket: store.buckets.main, key });

  /** The sweep removes remaining objects. */
  const forget = async (...keys: (string | null)[]) => {
    for (const key of keys) {
      if (key === null) continue;
      await store
        .remove(at(key))
        .catch((error: unknown) => log.warn({ err: error, key }, 'an object waits for the sweep'));
    }
  };

  const copied = async (from: string, customerId: number | null): Promise<string | null> => {
    const key = imagesOf(customerId) + uploadName(randomUUID(), Date.now(), from);
    try {
      await store.copy(at(from), at(key));
      return key;
    } catch (error) {
      if (await store.head(at(from))) throw error;
      return null;
    }
  };

  return {
    async change(caller, { field, entered, current, customerId, purpose = 'image' }) {
      if (entered === undefined || entered === current) return NOTHING;
      if (entered === null) return { key: null, settle: () => forget(current) };
      if (!incomingPrefixesOf(caller.userId).some((prefix) => entered.startsWith(prefix)))
        throw new Problem('fileUnknown', { field });
      const arrived = await store.head(at(entered));
      if (!arrived) throw new Problem('fileUnknown', { field });
      // Before the copy, whose cost depends on the size of the file.
      if (arrived.size > FILE_RULES[purpose].limit) await refuse('tooLarge', purpose, field, entered);
      const key = await copied(entered, customerId);
      if (key === null) throw new Problem('fileUnknown', { field });
      const fault = await faultOf(key, purpose);
      if (fault) await refuse(fault, purpose, field, entered, key);
      return { key, settle: () => forget(entered, current) };
    },

    async move(current, customerId) {
      if (current === null || current.startsWith(imagesOf(customerId))) return NOTHING;
      return { key: await copied(current, customerId), settle: () => forget(current) };
    },
  };

  async function refuse(fault: StoredFault, purpose: Purpose, field: string, ...keys: string[]): Promise<never> {
    await forget(...keys);
    throw faultProblem(fault, purpose, field);
  }

  async function faultOf(key: string, purpose: Purpose): Promise<StoredFault | null> {
    const facts = await store.head(at(key));
    if (!facts) return 'empty';
    return await storedFault({ name: key, size: facts.size }, purpose, async (first, last) => {
      const found = await store.read(at(key), { first, last });
      return found ? Buffer.concat(await found.body.toArray()) : Buffer.alloc(0);
    });
  }
}

/** The problems for refused pictures. */
function faultProblem(fault: StoredFault, purpose: Purpose, field: string): Problem {
  const { endings, limit } = FILE_RULES[purpose];
  const code = {
    nameless: 'fileNameless',
    type: 'fileType',
    content: 'fileContent',
    incomplete: 'fileIncomplete',
    tooLarge: 'fileTooLarge',
    empty: 'fileEmpty',
  } as const;
  return new Problem(code[fault], { field, values: { types: endings.join(', '), limit: formatSize(limit) } });
}
