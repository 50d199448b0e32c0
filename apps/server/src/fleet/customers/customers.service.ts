import {
  type BodyOf,
  CUSTOMER,
  type CustomerRow,
  type Locale,
  type placesEndpoints,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import { customerRights, isIssuePrefix, seesWholeCustomer, type TokenPolicy } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Explanations, explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import { emptyValues, picked } from '../../platform/resource/columns.ts';
import { changedValues, enteredValues, formerValues } from '../../platform/resource/entered.ts';
import type { FindCustomerFiles } from '../../ports/customer-files.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { alarmCounts, statusCounts } from '../devices/status-counts.ts';
import { placeCode } from '../entered.ts';
import type { Regions } from '../regions/regions.ts';
import { deriveStatuses, listDevicesOf, lockSitesOf } from '../sites/place-devices.store.ts';
import type { PlaceDevices } from '../sites/place-devices.ts';
import { listUsersOfCustomer } from '../sites/place-users.store.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  type CustomerFilters,
  type CustomerRecord,
  type CustomerValues,
  countCustomerAlarms,
  countCustomerDevices,
  deleteCustomer,
  findCustomer,
  insertCustomer,
  type LockedCustomer,
  listCustomers,
  lockCustomer,
  updateCustomer,
} from './customers.store.ts';

type Endpoints = typeof placesEndpoints;

export type CustomersService = ReturnType<typeof customersService>;

/**
 * Manages customers. The platform vendor adds and removes customers, names them, and enables or disables them. Users of
 * a customer maintain its contact and address. Every change is recorded in the action log in the same transaction.
 */
export function customersService(parts: {
  db: Kysely<Database>;
  devices: PlaceDevices;
  pictures: Pictures;
  regions: Regions;
  /** the files that are deleted with a customer */
  filesOf: FindCustomerFiles;
  /** sets who may charge at the sites of a new customer */
  firstPolicy(trx: Kysely<Database>, caller: Caller, customerId: number, policy: TokenPolicy): Promise<void>;
  /** ends the sessions of users whose customer is disabled; called after the commit */
  signOutDisabled: () => Promise<void>;
}) {
  const { db, devices, pictures, regions, filesOf, firstPolicy, signOutDisabled } = parts;
  return {
    async list(
      caller: Caller,
      locale: Locale,
      query: QueryOf<Endpoints['listCustomers']>,
    ): Promise<ResultOf<Endpoints['listCustomers']>> {
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listCustomers(
        caller.scope,
        db,
        customerFilters(regions, query),
        order,
        pageOf(query),
      );
      return { items: items.map((customer) => toCustomerRow(customer, regions, locale)), total };
    },

    async read(caller: Caller, locale: Locale, id: number): Promise<ResultOf<Endpoints['readCustomer']>> {
      const customer = await findCustomer(caller.scope, db, id);
      if (!customer) throw notFound('customer');
      const [statuses, alarms] = await Promise.all([
        countCustomerDevices(caller.scope, db, id),
        countCustomerAlarms(caller.scope, db, id),
      ]);
      const edit = mayEdit(caller, id);
      return {
        ...toCustomerRow(customer, regions, locale),
        byStatus: statusCounts(statuses),
        alarmsByLevel: alarmCounts(alarms),
        may: { edit, manage: edit && isVendor(caller), seeUsers: seesWholeCustomer(caller.scope, id) },
      };
    },

    async users(
      caller: Caller,
      id: number,
      query: QueryOf<Endpoints['listCustomerUsers']>,
    ): Promise<ResultOf<Endpoints['listCustomerUsers']>> {
      const { descending } = listOrder(query.sort, 'userName');
      return await listUsersOfCustomer(caller.scope, db, id, descending, pageOf(query));
    },

    async create(caller: Caller, entered: BodyOf<Endpoints['createCustomer']>): Promise<{ id: number }> {
      // Without a prefix, a trigger proposes one.
      const { issuePrefix: _none, ...empty } = emptyValues(CUSTOMER.fields);
      const values: Omit<CustomerValues, 'issuePrefix'> & { issuePrefix?: string } = {
        ...NOWHERE,
        ...empty,
        ...enteredValues(CUSTOMER.fields, entered, RULES),
      };
      const { id, settle } = await db.transaction().execute(async (trx) => {
        Object.assign(values, await regions.entered(trx, NOWHERE, entered));
        const id = await explained(insertCustomer(trx, values), explanationsFor(caller));
        const place = { field: 'logo', current: null, customerId: id };
        const picture = await pictures.change(caller, { ...place, entered: entered.logo });
        if (picture.key) {
          values.logo = picture.key;
          await updateCustomer(trx, id, { logo: picture.key });
        }
        const entry = {
          operation: 'new',
          objectType: 'customer' as const,
          objectId: String(id),
          objectName: values.name,
        } as const;
        const { tokenPolicy } = entered;
        if (tokenPolicy !== undefined) await firstPolicy(trx, caller, id, tokenPolicy);
        const after = { ...values, ...(tokenPolicy === undefined ? {} : { tokenPolicy }) };
        await logAction(trx, caller, { ...entry, customerId: id, siteId: null, after });
        return { id, settle: picture.settle };
      });
      await settle();
      return { id };
    },

    async edit(caller: Caller, id: number, entered: BodyOf<Endpoints['updateCustomer']>): Promise<void> {
      const settle = await db.transaction().execute(async (trx) => {
        const customer = await requireEditable(trx, caller, id);
        const values = changedValues<CustomerValues>(valuesOf(customer), {
          ...enteredValues(CUSTOMER.fields, entered, RULES),
          ...(await regions.entered(trx, customer, entered)),
        });
        const { code, name, issuePrefix, readOnly } = values;
        const identity = [code, name, issuePrefix, readOnly].some((value) => value !== undefined);
        if (identity && !isVendor(caller)) throw new Problem('noPermission');
        const newLogo = entered.logo !== undefined && entered.logo !== customer.logo;
        if (newLogo || Object.keys(values).length > 0) requireRevision(entered.revision, valuesOf(customer));
        const place = { field: 'logo', current: customer.logo, customerId: id };
        const picture = await pictures.change(caller, { ...place, entered: entered.logo });
        if (picture.key !== undefined) values.logo = picture.key;
        if (Object.keys(values).length === 0) return picture.settle;
        await explained(updateCustomer(trx, id, values), explanationsFor(caller));
        await logAction(trx, caller, {
          ...entryOf(customer, 'edit'),
          objectName: values.name ?? customer.name,
          before: formerValues(valuesOf(customer), values),
          after: values,
        });
        return picture.settle;
      });
      await settle();
    },

    async enable(caller: Caller, id: number): Promise<void> {
      devices.publishChanged(await switchCustomer(db, caller, id, true));
    },

    async disable(caller: Caller, id: number): Promise<void> {
      const deviceIds = await switchCustomer(db, caller, id, false);
      await signOutDisabled();
      await devices.cutOff(deviceIds);
      devices.publishChanged(deviceIds);
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const customer = await requireEditable(trx, caller, id);
        const files = await filesOf(trx, id);
        await explained(deleteCustomer(trx, id), explanationsFor(caller));
        // The row of the customer is deleted, so its entry cannot refer to it.
        await logAction(trx, caller, {
          ...entryOf(customer, 'delete'),
          customerId: null,
          before: { ...valuesOf(customer), ...files },
        });
      });
    },
  };
}

/** Enables or disables a customer. Returns the affected devices; none when nothing changed. */
async function switchCustomer(db: Kysely<Database>, caller: Caller, id: number, enabled: boolean): Promise<number[]> {
  return await db.transaction().execute(async (trx) => {
    const customer = await requireEditable(trx, caller, id);
    if (customer.enabled === enabled) return [];
    await explained(updateCustomer(trx, id, { enabled }), explanationsFor(caller));
    await lockSitesOf(trx, id);
    const deviceIds = await listDevicesOf(trx, { customerId: id });
    await deriveStatuses(trx, deviceIds);
    const entry = entryOf(customer, enabled ? 'enable' : 'disable');
    await logAction(trx, caller, { ...entry, before: { enabled: customer.enabled }, after: { enabled } });
    return deviceIds;
  });
}

const NOWHERE = { country: null, province: null, city: null };

/** The filters of a query. */
export function customerFilters(
  regions: Regions,
  query: {
    id?: number;
    search?: string;
    enabled?: boolean;
    region?: string;
  },
): CustomerFilters {
  const { id, search, enabled, region } = query;
  return { id, search: searchOf(search), enabled, region: regions.filtered(region) };
}

/** A customer as it appears in API lists. */
function toCustomerRow(customer: CustomerRecord, regions: Regions, locale: Locale): WithDates<CustomerRow> {
  return {
    ...customer,
    regionName: regions.name(customer, locale),
    revision: revisionOf(valuesOf(customer)),
  };
}

/** A prefix in capital letters. @throws Problem `issuePrefixFormat` */
function enteredPrefix(text: string): string {
  const prefix = text.trim().toUpperCase();
  if (!isIssuePrefix(prefix)) throw new Problem('issuePrefixFormat', { field: 'issuePrefix' });
  return prefix;
}

const RULES = { code: placeCode, issuePrefix: enteredPrefix };

function isVendor(caller: Caller): boolean {
  return caller.root || caller.platformVendor;
}

/**
 * The permission to change a customer. A user with assigned sites does not have it, because they are responsible for a
 * part of the customer only.
 */
function mayEdit(caller: Caller, id: number): boolean {
  return !caller.readOnly && seesWholeCustomer(caller.scope, id) && customerRights(caller.levels).edit;
}

/** The customer in scope, locked for this transaction. */
async function requireEditable(trx: Kysely<Database>, caller: Caller, id: number): Promise<LockedCustomer> {
  const customer = await lockCustomer(caller.scope, trx, id);
  if (!customer) throw notFound('customer');
  return customer;
}

/** A caller who does not see all customers does not learn that another customer has the name or code. */
const explanationsFor = ({ scope }: Caller): Explanations => ({
  ...EXPLANATIONS,
  customers_name: [scope.customers === 'all' ? 'customerNameExists' : 'customerNameUnavailable', 'name'],
  customers_code: [scope.customers === 'all' ? 'customerCodeExists' : 'customerCodeUnavailable', 'code'],
});

function entryOf<O extends string>(customer: LockedCustomer, operation: O) {
  return {
    operation,
    objectType: 'customer' as const,
    objectId: String(customer.id),
    objectName: customer.name,
    customerId: customer.id as number | null,
    siteId: null,
  };
}

function valuesOf(customer: CustomerValues): CustomerValues {
  const { country, province, city } = customer;
  return { ...picked(CUSTOMER.fields, customer), country, province, city };
}
