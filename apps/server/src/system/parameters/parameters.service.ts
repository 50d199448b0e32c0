import type {
  BodyOf,
  Locale,
  ResultOf,
  SystemParameterRow,
  systemParameterEndpoints,
  WithDates,
} from '@chargehand/contract';
import {
  BRANDING_FALLBACKS,
  BRANDING_KEYS,
  type BrandingValues,
  brandingFault,
  isBrandingKey,
  isParameterKey,
  isParameterValue,
  isSettingKey,
  orderFault,
  PARAMETER_KEYS,
  type ParameterFault,
  type ParameterKey,
  type ParameterValues,
  type SettingKey,
  settingLabel,
  systemParameter,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Events } from '../../ports/events.ts';
import { PARAMETERS_CHANGED } from '../../ports/settings/system-parameters.ts';
import type { BrandingService } from './branding.ts';
import { environmentSettings } from './environment.ts';
import { countErased } from './erased.store.ts';
import { brandingOf, type OpenParameters, valuesOf } from './open-parameters.ts';
import {
  findChange,
  type LastChange,
  listChanges,
  listLastChanges,
  listStoredParameters,
  lockParameters,
  type SettingValue,
  storeParameter,
} from './parameters.store.ts';

type Endpoints = typeof systemParameterEndpoints;
export type ParametersService = ReturnType<typeof parametersService>;

export interface ParametersServiceParts {
  db: Kysely<Database>;
  bus: Bus;
  clock: Clock;
  parameters: OpenParameters;
  events: Events;
  branding: BrandingService;
  /** Applies a changed parameter to what is already stored. */
  applied(key: SettingKey): Promise<void>;
  /** consoles of the vendor read the system again */
  announce(): Promise<void>;
}

const CHANGES_SENT = 50;
const DAY_MS = 86_400_000;

/** What a transaction knows about all parameters. */
interface State {
  stored: ReadonlyMap<string, unknown>;
  values: ParameterValues & BrandingValues;
  last: ReadonlyMap<string, LastChange>;
}

/** The parameters of the installation for root accounts: values, history, undo. */
export function parametersService(parts: ParametersServiceParts) {
  const { db, bus, clock, parameters } = parts;
  const { bases } = parameters;
  const baseOf = (key: SettingKey): SettingValue => (isBrandingKey(key) ? BRANDING_FALLBACKS[key] : bases[key]);

  async function stateOf(trx: Kysely<Database>): Promise<State> {
    const stored = await listStoredParameters(trx);
    const values = { ...valuesOf(bases, stored), ...brandingOf(stored) };
    return { stored, values, last: await listLastChanges(trx) };
  }

  /** Changes a parameter in a transaction, then applies it everywhere. */
  async function change(
    caller: Caller,
    key: SettingKey,
    decide: (state: State) => Promise<{ after: SettingValue | null; undoes: number | null } | null>,
  ): Promise<WithDates<SystemParameterRow>> {
    const changed = await db.transaction().execute(async (trx) => {
      await lockParameters(trx);
      const state = await stateOf(trx);
      const decided = await decide(state);
      if (decided === null) return false;
      const before = storedValue(state, key);
      requireOrder(key, decided.after ?? baseOf(key), state.values, caller.locale);
      await storeParameter(trx, { key, before, ...decided, userName: (caller.viewer ?? caller).userName });
      await logAction(trx, caller, {
        ...{ operation: 'edit', objectType: 'systemParameter', objectId: key },
        ...{ objectName: settingLabel(key).en, customerId: null, siteId: null },
        before: { [key]: before ?? baseOf(key) },
        after: { [key]: decided.after ?? baseOf(key) },
      });
      return true;
    });
    if (changed) {
      await parameters.reload();
      bus.publish(PARAMETERS_CHANGED, { key });
      await parts.applied(key);
      if (isBrandingKey(key) || key === 'passwordLength') parts.events.publish('branding.changed', { id: 0 });
      await parts.announce();
    }
    return rowOf(key, await stateOf(db));
  }

  function rowOf(key: SettingKey, { stored, values, last }: State): WithDates<SystemParameterRow> {
    const change = last.get(key);
    return {
      ...{ key, value: values[key], base: baseOf(key), changed: stored.has(key) },
      changedAt: change?.at ?? null,
      changedBy: change?.userName ?? null,
      revision: change?.id ?? 0,
    };
  }

  return {
    async list(): Promise<ResultOf<Endpoints['listSystemParameters']>> {
      const state = await stateOf(db);
      return { items: [...PARAMETER_KEYS, ...BRANDING_KEYS].map((key) => rowOf(key, state)) };
    },

    /** @throws {Problem} notFound, parameterChanged, parameterRange, parameterTooLow, parameterTooHigh, branding… */
    async set(caller: Caller, name: string, body: BodyOf<Endpoints['setSystemParameter']>) {
      const key = keyOf(name);
      const { value, revision } = body;
      const after = isBrandingKey(key) && value !== null ? parts.branding.entered(key, value, caller.locale) : value;
      return await change(caller, key, async (state) => {
        // A lost answer can be requested again.
        if (storedValue(state, key) === after) return null;
        const last = state.last.get(key);
        if (revision !== (last?.id ?? 0)) {
          const values = { user: last?.userName ?? '', value: state.values[key] };
          throw new Problem('parameterChanged', { field: 'revision', values });
        }
        if (isParameterKey(key) && after !== null && !isParameterValue(key, after))
          throw rangeProblem(key, caller.locale);
        if (isBrandingKey(key) && value !== null) await parts.branding.keep(key, value);
        return { after, undoes: null };
      });
    },

    /** @throws {Problem} notFound, parameterChangeOld, parameterTooLow, parameterTooHigh */
    async undo(caller: Caller, id: number): Promise<WithDates<SystemParameterRow>> {
      const found = await findChange(db, id);
      if (found === undefined || !isSettingKey(found.key)) throw notFound('parameterChange');
      const { key, before } = found;
      return await change(caller, key, async ({ last }) => {
        if (last.get(key)?.id !== id) throw new Problem('parameterChangeOld');
        return { after: before !== null && isAllowed(key, before) ? before : null, undoes: id };
      });
    },

    /** @throws {Problem} notFound, parameterRange */
    async preview(caller: Caller, name: string, value: number): Promise<ResultOf<Endpoints['previewSystemParameter']>> {
      const key = keyOf(name);
      if (isBrandingKey(key)) return { rows: 0, approximate: false, oldest: null };
      if (!isParameterValue(key, value)) throw rangeProblem(key, caller.locale);
      if (!systemParameter(key).erases) return { rows: 0, approximate: false, oldest: null };
      const erased = await countErased(db, key, new Date(clock.now().getTime() - value * DAY_MS));
      return {
        rows: Math.round(erased.rows),
        approximate: erased.approximate,
        oldest: erased.oldest,
      };
    },

    async changes(before: number | undefined): Promise<ResultOf<Endpoints['listSystemParameterChanges']>> {
      const rows = await listChanges(db, before ?? null, CHANGES_SENT);
      const known = rows.flatMap((row) => (isSettingKey(row.key) ? [{ ...row, key: row.key }] : []));
      return {
        items: known.map(({ id, key, at, userName, before: from, after, undid, last }) => ({
          ...{ id, key, at, userName, before: from, after },
          ...{ undid, canUndo: last },
        })),
        next: rows.length === CHANGES_SENT ? (rows.at(-1)?.id ?? null) : null,
      };
    },

    environment: (locale: Locale): ResultOf<Endpoints['listEnvironmentSettings']> => ({
      items: environmentSettings(process.env, locale),
    }),
  };
}

function keyOf(name: string): SettingKey {
  if (!isSettingKey(name)) throw notFound('systemParameter');
  return name;
}

/** False for values that another version allowed. */
function isAllowed(key: SettingKey, value: SettingValue): boolean {
  if (isParameterKey(key)) return isParameterValue(key, value);
  return typeof value === 'string' && brandingFault(key, value) === null;
}

function storedValue({ stored }: State, key: SettingKey): SettingValue | null {
  const value = stored.get(key);
  return typeof value === (isBrandingKey(key) ? 'string' : 'number') ? (value as SettingValue) : null;
}

const textOf = (text: { en: string; zh: string }, locale: Locale) => (locale === 'zh-CN' ? text.zh : text.en);

function rangeProblem(key: ParameterKey, locale: Locale): Problem {
  const { label, least, most, why } = systemParameter(key);
  return new Problem('parameterRange', {
    field: 'value',
    values: { name: textOf(label, locale), least, most, why: textOf(why, locale) },
  });
}

function requireOrder(key: SettingKey, value: SettingValue, values: ParameterValues, locale: Locale): void {
  if (!isParameterKey(key) || typeof value !== 'number') return;
  const fault: ParameterFault | null = orderFault(key, value, values);
  if (fault?.kind !== 'order') return;
  const name = textOf(systemParameter(key).label, locale);
  throw new Problem(fault.above ? 'parameterTooHigh' : 'parameterTooLow', {
    field: 'value',
    values: { name, value: fault.value, other: textOf(systemParameter(fault.other).label, locale) },
  });
}
