import type { DeviceRights, LevelVerb, RequiredLevel } from '@chargehand/domain';
import type { TObject } from 'typebox';
import type { CodeName } from '../codes.ts';

/**
 * Which sessions reach an endpoint: `public` needs no session, `common` takes any session, `keys` takes a role that
 * holds one of these permission keys.
 */
export type Route = 'public' | 'common' | { keys: readonly [string, ...string[]] };

/**
 * The kinds of row that a call can name, and the row that decides about it: an alarm belongs to a device, a session to
 * a user. The server has one function for each kind that finds the row within the caller's scope.
 */
export const ROW_TYPES = {
  device: 'device',
  site: 'site',
  customer: 'customer',
  user: 'user',
  role: 'role',
  alarm: 'device',
  application: 'user',
  attachment: 'attachment',
  /** a file that the caller may read, also through a document, a device or an issue that uses it */
  attachmentContent: 'attachment',
  commandBatch: 'device',
  deviceImage: 'device',
  document: 'document',
  execution: 'device',
  folder: 'folder',
  issue: 'issue',
  link: 'device',
  messageSend: 'customer',
  parameterBaseline: 'site',
  pictures: 'customer',
  session: 'user',
  share: 'share',
  token: 'customer',
  tokenImport: 'customer',
  unknownToken: 'customer',
  webhook: 'customer',
} as const;
export type RowType = keyof typeof ROW_TYPES;

/** True if a row of this kind has the same id as the row that decides about it. */
export function hasOwnIds(object: RowType): boolean {
  return object === ROW_TYPES[object] || object === 'attachmentContent' || object === 'pictures';
}

/** The row of a call. The caller must be able to see it. */
export interface RowPolicy {
  object: RowType;
  /**
   * The inputs that contain its id, such as `params.id`, or a list of ids. `file`: an uploaded file names the rows and
   * the service decides about each. With several inputs, the caller must see the rows of all of them.
   */
  from: string | readonly string[];
  /** the error when the caller does not see the row; default `notFound` */
  outside?: CodeName;
  /** the caller must see the whole customer, not only some of its sites */
  whole?: true;
  /** the row must belong to the caller's own customer; staff of the platform vendor may use rows of all customers */
  owned?: true;
  /** maximum number of rows of a call */
  most?: number;
  /** the input may be omitted */
  optional?: true;
  /** many rows: each has its own result in the response */
  each?: true;
}

/**
 * The levels that a call needs: fixed ones, or a right on the device of the row, whose model sets the levels.
 * - `command` names the input that holds the kind of command, or is `row` for the kind of the execution or batch.
 * - `items` is a right on parameters.
 * - `own` is the level that the row itself has for this verb, such as the write level of a document.
 *
 * A model with a description sets a level for each control and parameter. For `command` and `items` the service then
 * decides about each of them, since only it knows which ones a call reads or changes.
 */
export type LevelPolicy =
  | readonly RequiredLevel[]
  | keyof DeviceRights
  | { command: string }
  | { items: 'readParameters' | 'setParameters' }
  | { own: LevelVerb };

/**
 * Who may call an endpoint, and for which rows. The server checks it before the handler runs, in this order: route,
 * `who`, `row`, `allCustomers`, `level`, `remote`, `withinOwnRights`. Explanations, the authorization tests and OpenAPI
 * (`x-policy`) read it too.
 */
export type Policy = { route: 'public' } | SessionPolicy;

export interface SessionPolicy {
  route: Exclude<Route, 'public'>;
  /** only staff of the platform vendor, or only root accounts */
  who?: 'vendor' | 'root';
  /**
   * The rows of the call. `own`: only data of the caller. `scope`: only rows that the caller sees, filtered by the
   * query. `shared`: data of the installation, the same for all users. Otherwise the rows that the call names.
   */
  row: 'own' | 'scope' | 'shared' | RowPolicy;
  /** the caller must see every customer, because they could not see a new customer otherwise */
  allCustomers?: true;
  level?: LevelPolicy;
  /**
   * The role's web and SSH access must include this kind of link: the input that holds it, or `row` for the kind of the
   * link.
   */
  remote?: string;
  /** check the level before the row */
  levelFirst?: true;
  /** the user or role of the row must not have more rights than the caller */
  withinOwnRights?: true;
}

/** A policy for a row that the call names. */
export interface RowsPolicy extends SessionPolicy {
  row: RowPolicy;
}

/** The inputs of an endpoint as policies name them: `params.id`, `query.deviceId`, `body.ids`. */
export type InputName<E> = Names<E, 'params'> | Names<E, 'query'> | Names<E, 'body'>;

type Names<E, K extends 'params' | 'query' | 'body'> = E extends { [key in K]: infer S extends TObject }
  ? `${K}.${keyof S['properties'] & string}`
  : never;

/** Causes a compile error for a policy that names an input the endpoint does not have. */
export type CheckedPolicy<E> = CheckedRemote<E> & CheckedInputs<E>;

type CheckedInputs<E> = E extends { policy: infer P }
  ? (P extends { row: { from: infer F } }
      ? F extends InputName<E> | 'file' | readonly InputName<E>[]
        ? unknown
        : { policy: { row: { from: InputName<E> } } }
      : unknown) &
      (P extends { level: { command: infer C } }
        ? C extends InputName<E> | 'row'
          ? unknown
          : { policy: { level: { command: InputName<E> } } }
        : unknown)
  : unknown;

/** The check of `remote` in a policy. */
type CheckedRemote<E> = E extends { policy: { remote: infer R } }
  ? R extends InputName<E> | 'row'
    ? unknown
    : { policy: { remote: InputName<E> } }
  : unknown;

/** Derives the policy of a bulk change from the policy of one row: the same, for each id in the body. */
export function forEachRow(policy: RowsPolicy): RowsPolicy & { row: { from: 'body.ids'; each: true } } {
  return { ...policy, row: { ...policy.row, from: 'body.ids', each: true } };
}
