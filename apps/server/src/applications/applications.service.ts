import { randomBytes } from 'node:crypto';
import {
  type ApplicationDetail,
  type ApplicationRow,
  type applicationEndpoints,
  type BodyOf,
  type NewSecret,
  openOperation,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import { applicationState, ROTATION_DAYS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { isNetwork } from '../platform/http/peers.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../platform/http/serve/revision.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Operation } from '../ports/action-log.ts';
import type { ChangedPicture, Pictures } from '../ports/pictures.ts';
import {
  type ApplicationRecord,
  type ApplicationValues,
  deleteApplication,
  deleteSecret,
  deleteTokens,
  endSecret,
  findApplication,
  insertApplication,
  insertSecret,
  listApplications,
  listDays,
  listSecrets,
  lockAndCount,
  lockApplication,
  updateApplication,
} from './applications.store.ts';

type Endpoints = typeof applicationEndpoints;
export type ApplicationsService = ReturnType<typeof applicationsService>;

const MOST_APPLICATIONS = 500;
const DAY_MS = 86_400_000;

/** The applications and their secrets. */
export function applicationsService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  box: SecretBox;
  pictures: Pictures;
  /** the allowed operations that a user may not use */
  unreachable(userId: number, operations: readonly string[]): Promise<string[]>;
}) {
  const { db, clock, box, pictures, unreachable } = parts;

  function rowOf(record: ApplicationRecord): WithDates<ApplicationRow> {
    const { id, name, description, icon, appId, userId, userName, nickName, callsToday, errorsToday } = record;
    return {
      ...{ id, name, description, icon, appId, callsToday, errorsToday },
      state: applicationState(record, clock.now()),
      boundUser: userId === null ? null : { id: userId, userName: userName ?? '', nickName: nickName ?? '' },
      expiresAt: record.expiresAt,
      installedAt: record.installedAt,
      lastUsedAt: record.lastUsedAt,
    };
  }

  /** The entered values in their stored form. @throws {Problem} with the field */
  function valuesOf(body: BodyOf<Endpoints['createApplication']> | BodyOf<Endpoints['updateApplication']>) {
    const name = body.name.trim().normalize('NFC');
    if (name === '') throw new Problem('fieldRequired', { field: 'name' });
    for (const network of body.allowedAddresses) {
      if (!isNetwork(network))
        throw new Problem('applicationNetwork', { field: 'allowedAddresses', values: { network } });
    }
    const allowedOperations = body.allowedOperations.map((operation) => {
      const id = openOperation(operation);
      if (id === null) throw new Problem('applicationOperation', { field: 'allowedOperations', values: { operation } });
      return id;
    });
    const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt);
    return {
      ...{ name, description: body.description.trim(), rateLimit: body.rateLimit, expiresAt },
      allowedAddresses: body.allowedAddresses,
      allowedOperations: [...new Set(allowedOperations)].toSorted(),
    } satisfies ApplicationValues;
  }

  const editable = ({
    name,
    description,
    icon,
    rateLimit,
    expiresAt,
    ...lists
  }: ApplicationValues & { icon: string | null }) => ({
    ...{ name, description, icon, rateLimit, expiresAt: expiresAt?.toISOString() ?? null },
    ...{ allowedAddresses: lists.allowedAddresses, allowedOperations: lists.allowedOperations },
  });

  const log = (
    trx: Kysely<Database>,
    caller: Caller,
    operation: Operation,
    application: Pick<ApplicationRecord, 'id' | 'name' | 'customerId'>,
    { before, after }: { before?: unknown; after?: unknown } = {},
  ) =>
    logAction(trx, caller, {
      ...{ operation, objectType: 'application', objectId: String(application.id), objectName: application.name },
      ...{ customerId: application.customerId, siteId: null },
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });

  /** Locks an application for a change. */
  async function locked(trx: Kysely<Database>, id: number): Promise<ApplicationRecord> {
    const application = await lockApplication(trx, id);
    if (!application) throw notFound('application');
    return application;
  }

  async function addSecret(trx: Kysely<Database>, applicationId: number): Promise<string> {
    const appSecret = `chs_${randomBytes(32).toString('base64url')}`;
    await insertSecret(trx, applicationId, { secret: box.close(appSecret), ending: appSecret.slice(-4) });
    return appSecret;
  }

  async function turn(caller: Caller, id: number, enabled: boolean): Promise<null> {
    await db.transaction().execute(async (trx) => {
      const application = await locked(trx, id);
      if (application.enabled === enabled) return;
      await updateApplication(trx, id, { enabled });
      if (!enabled) await deleteTokens(trx, id);
      await log(trx, caller, enabled ? 'enable' : 'disable', application, {
        before: { enabled: application.enabled },
        after: { enabled },
      });
    });
    return null;
  }

  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listApplications']>) {
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listApplications(caller.scope, db, {
        ...{ search: searchOf(query.search), state: query.applicationState, now: clock.now() },
        ...{ by: order.by, descending: order.descending, ...pageOf(query) },
      });
      return { items: items.map(rowOf), total };
    },

    async read(id: number): Promise<WithDates<ApplicationDetail>> {
      const record = await findApplication(db, id);
      if (!record) throw notFound('application');
      const secrets = await listSecrets(db, id, clock.now());
      const { allowedAddresses, allowedOperations, rateLimit, userId } = record;
      return {
        ...rowOf(record),
        ...{ allowedAddresses, allowedOperations, rateLimit },
        unreachable: userId === null ? allowedOperations : await unreachable(userId, allowedOperations),
        secrets,
        revision: revisionOf(editable(record)),
      };
    },

    async usage(id: number): Promise<ResultOf<Endpoints['readApplicationUsage']>> {
      return { days: await listDays(db, id) };
    },

    /** The policy has decided that the bound user has no more rights than the caller. */
    async create(
      caller: Caller,
      customerId: number | null,
      body: BodyOf<Endpoints['createApplication']>,
    ): Promise<NewSecret> {
      const values = valuesOf(body);
      if (values.expiresAt !== null && values.expiresAt <= clock.now()) {
        throw new Problem('applicationExpiry', { field: 'expiresAt' });
      }
      const appId = `app_${randomBytes(12).toString('hex')}`;
      const created = await db.transaction().execute(async (trx) => {
        if ((await lockAndCount(trx)) >= MOST_APPLICATIONS) {
          throw new Problem('tooManyApplications', { values: { limit: MOST_APPLICATIONS } });
        }
        const id = await unique(insertApplication(trx, { ...values, appId, userId: body.userId }));
        const picture = await pictures.change(caller, {
          ...{ field: 'icon', current: null, customerId, entered: body.icon, purpose: 'icon' },
        });
        if (picture.key) await updateApplication(trx, id, { icon: picture.key });
        const appSecret = await addSecret(trx, id);
        await log(
          trx,
          caller,
          'new',
          { id, name: values.name, customerId },
          { after: { ...editable({ ...values, icon: picture.key ?? null }), userId: body.userId } },
        );
        return { id, appSecret, picture };
      });
      await created.picture.settle();
      return { id: created.id, appId, appSecret: created.appSecret };
    },

    async update(caller: Caller, id: number, body: BodyOf<Endpoints['updateApplication']>): Promise<null> {
      const values = valuesOf(body);
      const picture = await db.transaction().execute(async (trx): Promise<ChangedPicture> => {
        const before = await locked(trx, id);
        requireRevision(body.revision, editable(before));
        const past = values.expiresAt !== null && values.expiresAt <= clock.now();
        if (past && values.expiresAt?.getTime() !== before.expiresAt?.getTime()) {
          throw new Problem('applicationExpiry', { field: 'expiresAt' });
        }
        const icon = await pictures.change(caller, {
          ...{
            field: 'icon',
            current: before.icon,
            customerId: before.customerId,
            entered: body.icon,
            purpose: 'icon',
          },
        });
        const after = { ...values, icon: icon.key === undefined ? before.icon : icon.key };
        await unique(updateApplication(trx, id, after));
        await log(
          trx,
          caller,
          'edit',
          { ...before, name: values.name },
          { before: editable(before), after: editable(after) },
        );
        return icon;
      });
      await picture.settle();
      return null;
    },

    enable: (caller: Caller, id: number) => turn(caller, id, true),
    disable: (caller: Caller, id: number) => turn(caller, id, false),

    async remove(caller: Caller, id: number): Promise<null> {
      const picture = await db.transaction().execute(async (trx) => {
        const application = await locked(trx, id);
        const icon = await pictures.change(caller, {
          ...{
            field: 'icon',
            current: application.icon,
            customerId: application.customerId,
            entered: null,
            purpose: 'icon',
          },
        });
        await deleteApplication(trx, id);
        await log(trx, caller, 'delete', application, {
          before: { ...editable(application), userId: application.userId },
        });
        return icon;
      });
      await picture.settle();
      return null;
    },

    async rotate(caller: Caller, id: number): Promise<NewSecret> {
      return await db.transaction().execute(async (trx) => {
        const application = await locked(trx, id);
        const now = clock.now();
        const valid = await listSecrets(trx, id, now);
        if (valid.length > 1) throw new Problem('applicationSecrets');
        await endSecret(trx, id, new Date(now.getTime() + ROTATION_DAYS * DAY_MS));
        const appSecret = await addSecret(trx, id);
        await log(trx, caller, 'edit', application, { after: { signature: 'added' } });
        return { id, appId: application.appId, appSecret };
      });
    },

    async removeSecret(caller: Caller, id: number, secretId: number): Promise<null> {
      await db.transaction().execute(async (trx) => {
        const application = await locked(trx, id);
        const secret = (await listSecrets(trx, id, clock.now())).find((one) => one.id === secretId);
        if (!secret) throw notFound('applicationSecret');
        if (secret.validUntil === null) throw new Problem('applicationLastSecret');
        await deleteSecret(trx, secretId);
        // Tokens may have been exchanged with it.
        await deleteTokens(trx, id);
        await log(trx, caller, 'edit', application, { after: { signature: 'removed' } });
      });
      return null;
    },
  };
}

/** Explains a taken name. */
async function unique<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'applications_name_key_key') throw error;
    throw new Problem('applicationNameTaken', { field: 'name' });
  }
}
