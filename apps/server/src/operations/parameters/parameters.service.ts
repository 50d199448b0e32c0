import type {
  BodyOf,
  DescribedItem,
  ParameterRow,
  parameterEndpoints,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import { CODES } from '@chargehand/contract';
import { compareParameters, DOCUMENT_TYPES } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { descriptionsAt } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { DocumentFinder } from '../../ports/document-finder.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import { type CommandedDevice, parametersOf } from '../commands/commands.store.ts';
import { visibleDevice } from '../commands/send-command.ts';
import { type ParameterView, parameterView, viewParameters } from './parameter-view.ts';
import { baselineValues, findBaseline, listStoredValues } from './parameters.store.ts';

type Endpoints = typeof parameterEndpoints;
export type ParametersService = ReturnType<typeof parametersService>;

/** The parameters of devices: their values, their history and their differences. */
export function parametersService(parts: {
  db: Kysely<Database>;
  commands: CommandsService;
  documents: DocumentFinder;
}) {
  const { db, commands, documents } = parts;
  return {
    /** The parameters of the model in its order, reported or not, followed by other reported ones. */
    async list(caller: Caller, deviceId: number): Promise<WithDates<ParameterRow>[]> {
      const { device, view, stored } = await readable(db, caller, deviceId);
      const reported = new Map(stored.map((one) => [one.key.toLowerCase(), one]));
      const named = view.description.parameters.filter(({ key }) => view.mayRead(key));
      const others = stored.filter(({ key }) => view.describe(key) === null);
      const documentOf = await documents(caller, {
        types: [DOCUMENT_TYPES.config, DOCUMENT_TYPES.runInfo],
        keys: [...named, ...others].map(({ key }) => key),
        deviceModelId: device.deviceModelId,
      });
      const row = (key: string, item: DescribedItem | null): WithDates<ParameterRow> => {
        const parameter = reported.get(key.toLowerCase());
        const secret = view.isSecret(key);
        // Once a device has reported some of its parameters, it does not have those that it did not report.
        const own = parameter !== undefined || stored.length === 0;
        return {
          key: parameter?.key ?? key,
          value: secret ? null : (parameter?.value ?? null),
          readonly: parameter?.readonly ?? false,
          readAt: parameter?.readAt ?? null,
          secret,
          item,
          documentId: documentOf.get(key) ?? null,
          may: { set: !secret && own && parameter?.readonly !== true && view.maySet(key) },
        };
      };
      return [...named.map((item) => row(item.key, item)), ...others.map(({ key }) => row(key, null))];
    },

    /** Sets parameters one after the other; each is a separate command with its own checks and result. */
    async set(
      caller: Caller,
      deviceId: number,
      { values, requestKey }: BodyOf<Endpoints['setParameters']>,
    ): Promise<ResultOf<Endpoints['setParameters']>['results']> {
      const results: ResultOf<Endpoints['setParameters']>['results'] = [];
      let ahead = 0;
      for (const [place, { key, value }] of values.entries()) {
        try {
          const command = { kind: 'setParameter' as const, key, value, ...(requestKey && { requestKey }) };
          const { id } = await commands.send(caller, deviceId, command, { ahead, place });
          results.push({ key, executionId: id, code: 0, message: '' });
          ahead += 1;
        } catch (error) {
          // When the caller may not see the device, or set any of its parameters, one problem is returned.
          if (!(error instanceof Problem) || error.code === 'notFound') throw error;
          const { code, message } = error.envelope(caller.locale);
          results.push({ key, executionId: null, code, message });
        }
      }
      const denied = CODES.noPermission.code;
      if (results.every(({ code }) => code === denied)) throw new Problem('noPermission');
      return results;
    },

    async history(
      caller: Caller,
      deviceId: number,
      { key, before, limit }: QueryOf<Endpoints['listParameterHistory']>,
    ): Promise<ResultOf<Endpoints['listParameterHistory']>> {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      if (key === undefined ? !view.mayReadAny : !view.mayRead(key)) throw new Problem('noPermission');
      const kept = await listStoredValues(caller.scope, db, deviceId, { key, before, limit: limit + 1 });
      const page = kept.slice(0, limit);
      const shown = page.filter((one) => view.mayRead(one.key));
      const described = await descriptionsAt(
        db,
        device.deviceModelId,
        shown.map(({ at }) => at),
      );
      return {
        items: shown.map((one) => {
          const then = parameterView(described.at(one.at), device, caller.levels);
          return {
            ...one,
            value: view.isSecret(one.key) ? null : one.value,
            source: one.source as 'read',
            item: then.describe(one.key)?.item ?? null,
          };
        }),
        next: kept.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },

    async compare(
      caller: Caller,
      deviceId: number,
      other: QueryOf<Endpoints['compareParameters']>,
    ): Promise<ResultOf<Endpoints['compareParameters']>['items']> {
      const here = await readable(db, caller, deviceId);
      const there = await otherSide(caller, here, other);
      const spelled = new Map(here.stored.map((one) => [one.key.toLowerCase(), one]));
      const itemOf = (key: string) => here.view.describe(key)?.item ?? null;
      return compareParameters(shownOf(here), there, itemOf).map((row) => ({
        ...row,
        item: itemOf(row.key),
        settable:
          row.there !== null &&
          row.difference !== 'same' &&
          spelled.get(row.key.toLowerCase())?.readonly !== true &&
          (spelled.size === 0 || spelled.has(row.key.toLowerCase())) &&
          here.view.maySet(row.key),
      }));
    },
  };

  async function otherSide(
    caller: Caller,
    here: Readable,
    { deviceId, baselineId }: QueryOf<Endpoints['compareParameters']>,
  ): Promise<{ key: string; value: string | null }[]> {
    if ((deviceId === undefined) === (baselineId === undefined)) {
      throw new Problem('comparedWithOne', { field: 'deviceId' });
    }
    if (deviceId !== undefined) {
      const there = shownOf(await readable(db, caller, deviceId));
      return there.filter(({ key }) => here.view.mayRead(key) && !here.view.isSecret(key));
    }
    const baseline = await findBaseline(caller.scope, db, baselineId ?? 0);
    if (baseline?.deviceModelId !== here.device.deviceModelId) throw notFound('parameterBaseline');
    return (await baselineValues(db, baseline.id)).filter(
      ({ key }) => here.view.mayRead(key) && !here.view.isSecret(key),
    );
  }
}

interface Readable {
  device: CommandedDevice;
  view: ParameterView;
  /** all reported parameters that the caller may read */
  stored: Awaited<ReturnType<typeof parametersOf>>;
}

/**
 * The parameters of a device that a caller may read. @throws Problem `notFound`, `noPermission` when there are none
 * they could read
 */
export async function readable(db: Kysely<Database>, caller: Caller, deviceId: number): Promise<Readable> {
  const device = await visibleDevice(db, caller, deviceId);
  const view = await viewParameters(db, caller, device);
  if (!view.mayReadAny) throw new Problem('noPermission');
  const stored = await parametersOf(db, deviceId);
  return { device, view, stored: stored.filter(({ key }) => view.mayRead(key)) };
}

/** The parameters that are compared: all except secrets. */
function shownOf({ stored, view }: Readable): { key: string; value: string | null }[] {
  return stored.filter(({ key }) => !view.isSecret(key));
}
