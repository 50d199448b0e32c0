import {
  type BodyOf,
  type Locale,
  type placesEndpoints,
  type QueryOf,
  type ResultOf,
  SITE,
  type SiteRow,
  type WithDates,
} from '@chargehand/contract';
import { permits, SITE_STATES, type SiteState, siteRights, siteState } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import { emptyValues, picked } from '../../platform/resource/columns.ts';
import { changedValues, enteredValues, formerValues } from '../../platform/resource/entered.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { findCustomer } from '../customers/customers.store.ts';
import { alarmCounts, statusCounts } from '../devices/status-counts.ts';
import { placeCode } from '../entered.ts';
import { enteredPosition } from '../position.ts';
import type { Regions } from '../regions/regions.ts';
import { EXPLANATIONS } from '../tables.ts';
import { deriveStatuses, listDevicesOf } from './place-devices.store.ts';
import type { PlaceDevices } from './place-devices.ts';
import { listAdministratorsOfSite } from './place-users.store.ts';
import { readSiteStates } from './site-states.store.ts';
import {
  assignSite,
  countSiteAlarms,
  countSiteDevices,
  countSites,
  deleteSite,
  findSite,
  insertSite,
  type LockedSite,
  listSitePositions,
  listSites,
  lockSite,
  lockSiteLimit,
  readSite,
  type SiteFilters,
  type SiteRecord,
  type SiteValues,
  updateSite,
} from './sites.store.ts';

type Endpoints = typeof placesEndpoints;

/** The maximum number of sites with a problem that are listed. The others are in the list of their state. */
const TROUBLED = 8;

export type SitesService = ReturnType<typeof sitesService>;

/** The states of the sites that a caller may see, and the sites with a problem. */
export async function readStates(
  db: Kysely<Database>,
  caller: Pick<Caller, 'scope'>,
): Promise<ResultOf<Endpoints['readSiteStates']>> {
  const { counts, troubled } = await readSiteStates(caller.scope, db, TROUBLED);
  const byState = Object.fromEntries(SITE_STATES.map((state) => [state, 0])) as Record<SiteState, number>;
  for (const { state, total } of counts) byState[state] = total;
  return {
    total: counts.reduce((sum, { total }) => sum + total, 0),
    byState,
    troubled,
  };
}

/** Manages sites. Every change is recorded in the action log in the same transaction. */
export function sitesService(parts: {
  db: Kysely<Database>;
  devices: PlaceDevices;
  pictures: Pictures;
  regions: Regions;
}) {
  const { db, devices, pictures, regions } = parts;
  return {
    async list(
      caller: Caller,
      locale: Locale,
      query: QueryOf<Endpoints['listSites']>,
    ): Promise<ResultOf<Endpoints['listSites']>> {
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listSites(caller.scope, db, siteFilters(regions, query), order, pageOf(query));
      return { items: items.map((site) => toSiteRow(site, regions, locale)), total };
    },

    async positions(
      caller: Caller,
      query: QueryOf<Endpoints['listSitePositions']>,
    ): Promise<ResultOf<Endpoints['listSitePositions']>> {
      const { items, unplaced } = await listSitePositions(
        caller.scope,
        db,
        siteFilters(regions, query),
        MOST_POSITIONS + 1,
      );
      return { items: items.slice(0, MOST_POSITIONS), unplaced, more: items.length > MOST_POSITIONS };
    },

    async read(caller: Caller, locale: Locale, id: number): Promise<ResultOf<Endpoints['readSite']>> {
      const site = await readSite(caller.scope, db, id);
      if (!site) throw notFound('site');
      const [statuses, alarms] = await Promise.all([
        countSiteDevices(caller.scope, db, id),
        countSiteAlarms(caller.scope, db, id),
      ]);
      const { customerEnabled, latitude, longitude } = site;
      return {
        ...toSiteRow(site, regions, locale),
        customerEnabled,
        latitude,
        longitude,
        revision: revisionOf(valuesOf(site)),
        byStatus: statusCounts(statuses),
        alarmsByLevel: alarmCounts(alarms),
        may: {
          edit: !caller.readOnly && permits(caller, ['auth_site_edit']) && siteRights(caller.levels).edit,
        },
      };
    },

    async administrators(
      caller: Caller,
      id: number,
      query: QueryOf<Endpoints['listSiteAdministrators']>,
    ): Promise<ResultOf<Endpoints['listSiteAdministrators']>> {
      const site = await findSite(caller.scope, db, id);
      if (!site) throw notFound('site');
      const { descending } = listOrder(query.sort, 'userName');
      return await listAdministratorsOfSite(caller.scope, db, site, descending, pageOf(query));
    },

    async create(caller: Caller, entered: BodyOf<Endpoints['createSite']>): Promise<{ id: number }> {
      const values: SiteValues = {
        ...NOWHERE,
        ...emptyValues(SITE.fields),
        ...enteredValues(SITE.fields, entered, { code: placeCode }),
        ...enteredPosition(NOWHERE, entered),
      };
      const { id, settle } = await db.transaction().execute(async (trx) => {
        const customer = await findCustomer(caller.scope, trx, entered.customerId);
        if (!customer) throw new Problem('customerUnknown', { field: 'customerId' });
        Object.assign(values, await regions.entered(trx, NOWHERE, entered));
        const id = await explained(insertSite(trx, { customerId: customer.id, ...values }), EXPLANATIONS);
        const place = { field: 'image', current: null, customerId: customer.id };
        const picture = await pictures.change(caller, { ...place, entered: entered.image });
        if (picture.key) {
          values.image = picture.key;
          await updateSite(trx, id, { image: picture.key });
        }
        if (caller.scope.sites !== 'all') await explained(assignSite(trx, caller.userId, id), EXPLANATIONS);
        else await requireSiteLimit(trx, caller);
        await logAction(trx, caller, {
          operation: 'new',
          objectType: 'site' as const,
          objectId: String(id),
          objectName: values.name,
          customerId: customer.id,
          siteId: id,
          after: { customerId: customer.id, ...values },
        });
        return { id, settle: picture.settle };
      });
      await settle();
      return { id };
    },

    async edit(caller: Caller, id: number, entered: BodyOf<Endpoints['updateSite']>): Promise<void> {
      const settle = await db.transaction().execute(async (trx) => {
        const site = await requireEditableSite(trx, caller, id);
        const values = changedValues<SiteValues>(valuesOf(site), {
          ...enteredValues(SITE.fields, entered, { code: placeCode }),
          ...(await regions.entered(trx, site, entered)),
          ...enteredPosition(site, entered),
        });
        const newImage = entered.image !== undefined && entered.image !== site.image;
        if (newImage || Object.keys(values).length > 0) requireRevision(entered.revision, valuesOf(site));
        const place = { field: 'image', current: site.image, customerId: site.customerId };
        const picture = await pictures.change(caller, { ...place, entered: entered.image });
        if (picture.key !== undefined) values.image = picture.key;
        if (Object.keys(values).length === 0) return picture.settle;
        await explained(updateSite(trx, id, values), EXPLANATIONS);
        await logAction(trx, caller, {
          ...entryOf(site, 'edit'),
          objectName: values.name ?? site.name,
          before: formerValues(valuesOf(site), values),
          after: values,
        });
        return picture.settle;
      });
      await settle();
    },

    async enable(caller: Caller, id: number): Promise<void> {
      devices.publishChanged(await switchSite(db, caller, id, true));
    },

    async disable(caller: Caller, id: number): Promise<void> {
      const deviceIds = await switchSite(db, caller, id, false);
      await devices.cutOff(deviceIds);
      devices.publishChanged(deviceIds);
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const site = await requireEditableSite(trx, caller, id);
        await explained(deleteSite(trx, id), EXPLANATIONS);
        // The row of the site is deleted, so its entry can refer only to its customer.
        await logAction(trx, caller, {
          ...entryOf(site, 'delete'),
          siteId: null,
          before: valuesOf(site),
        });
      });
    },
  };
}

/** Enables or disables a site. Returns the affected devices; none when nothing changed. */
async function switchSite(db: Kysely<Database>, caller: Caller, id: number, enabled: boolean): Promise<number[]> {
  return await db.transaction().execute(async (trx) => {
    const site = await requireEditableSite(trx, caller, id);
    if (site.enabled === enabled) return [];
    await updateSite(trx, id, { enabled });
    const deviceIds = await listDevicesOf(trx, { siteId: id });
    await deriveStatuses(trx, deviceIds);
    const entry = entryOf(site, enabled ? 'enable' : 'disable');
    await logAction(trx, caller, { ...entry, before: { enabled: site.enabled }, after: { enabled } });
    return deviceIds;
  });
}

/** The maximum number of sites on a map. */
const MOST_POSITIONS = 5_000;

/** The filters of a query. */
export function siteFilters(
  regions: Regions,
  query: {
    id?: number;
    search?: string;
    customerId?: number;
    enabled?: boolean;
    region?: string;
    state?: SiteState;
  },
): SiteFilters {
  const { id, search, customerId, enabled, region, state } = query;
  return { id, search: searchOf(search), customerId, enabled, region: regions.filtered(region), state };
}

const NOWHERE = { country: null, province: null, city: null, latitude: null, longitude: null };

function toSiteRow(record: SiteRecord, regions: Regions, locale: Locale): WithDates<SiteRow> {
  const { customerEnabled, latitude: _latitude, longitude: _longitude, ...rest } = record;
  const { served, faulted, offline, critical, ...site } = rest;
  const state = siteState({
    enabled: site.enabled && customerEnabled,
    devices: site.deviceCount,
    ...{ served, faulted, offline, critical },
    openAlarms: site.activeAlarms,
  });
  return { ...site, state, regionName: regions.name(site, locale) };
}

/** The site in scope, locked for this transaction. */
export async function requireEditableSite(trx: Kysely<Database>, caller: Caller, id: number): Promise<LockedSite> {
  const site = await lockSite(caller.scope, trx, id);
  if (!site) throw notFound('site');
  return site;
}

/** The site limit of a user who sees all sites; with assigned sites, the database checks it. @throws {Problem} siteLimitReached */
async function requireSiteLimit(trx: Kysely<Database>, caller: Caller): Promise<void> {
  const limit = await lockSiteLimit(trx, caller.userId);
  if (limit !== null && (await countSites(caller.scope, trx)) > limit) throw new Problem('siteLimitReached');
}

function entryOf<O extends string>(site: LockedSite, operation: O) {
  return {
    operation,
    objectType: 'site' as const,
    objectId: String(site.id),
    objectName: site.name,
    customerId: site.customerId,
    siteId: site.id as number | null,
  };
}

function valuesOf(site: SiteValues): SiteValues {
  const { country, province, city } = site;
  return { ...picked(SITE.fields, site), country, province, city };
}
