import type { ResultOf, telemetryEndpoints } from '@chargehand/contract';
import { DOCUMENT_TYPES, isSecretParameter, levelSuffices } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { descriptionsAt } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import type { DocumentFinder } from '../../ports/document-finder.ts';
import { listReportedParameters } from './runtime.store.ts';

/**
 * The readable values that a device reports with its configuration, in the order of its model, each with the item of
 * its time. Values that it measures and reports by itself belong to the runtime, and so does an item that it has
 * reported neither way.
 */
export async function readConfiguration(
  db: Kysely<Database>,
  documents: DocumentFinder,
  caller: Caller,
  device: VisibleDevice,
): Promise<ResultOf<typeof telemetryEndpoints.readConfiguration>> {
  const { id, deviceModelId } = device;
  const reported = new Map(
    (await listReportedParameters(caller.scope, db, id)).map((parameter) => [parameter.key.toLowerCase(), parameter]),
  );
  const times = [...reported.values()].map(({ readAt }) => readAt);
  const { present, at } = await descriptionsAt(db, deviceModelId, times);
  const settable = new Set(present.parameters.map(({ key }) => key.toLowerCase()));
  const shown = present.configs.flatMap((item) => {
    const key = item.key.toLowerCase();
    const parameter = reported.get(key);
    if (!parameter || settable.has(key) || !levelSuffices(caller.levels.device.read, item.readLevel)) return [];
    return [{ item, parameter }];
  });
  const documentOf = await documents(caller, {
    types: [DOCUMENT_TYPES.config, DOCUMENT_TYPES.runInfo],
    keys: shown.map(({ item }) => item.key),
    deviceModelId,
  });
  return {
    items: shown.map(({ item, parameter }) => {
      const { groupId, groupName, priority } = item;
      const then = at(parameter.readAt).configs.find(({ key }) => key === item.key) ?? item;
      return {
        item: { ...then, groupId, groupName, priority, documentId: documentOf.get(item.key) ?? null },
        value: isSecretParameter(item.key) ? null : parameter.value,
        readAt: parameter.readAt,
      };
    }),
  };
}
