import type { MessageFault } from '@chargehand/contract';
import { MAX_PAYLOAD_CHARACTERS, secretKeys, withoutSecrets } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { MessageCatalog } from '../../ports/message-catalog.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import { type CommandedDevice, findCommandedDevice } from './commands.store.ts';

export type MessagesService = ReturnType<typeof messagesService>;

/** The messages of a device's protocol, for the workbench. */
export function messagesService(db: Kysely<Database>, catalog: MessageCatalog) {
  const deviceFor = async (caller: Caller, id: number) => {
    const device = await findCommandedDevice(db, caller.scope, id);
    if (!device) throw notFound('device');
    return device;
  };
  return {
    async list(caller: Caller, deviceId: number): Promise<{ protocol: string | null; items: string[] }> {
      const { protocol } = await deviceFor(caller, deviceId);
      return { protocol, items: [...catalog.actions(protocol)] };
    },

    async read(caller: Caller, deviceId: number, action: string) {
      const { protocol } = await deviceFor(caller, deviceId);
      const schema = catalog.schema(protocol, action);
      if (schema === null || protocol === null) throw unknownMessage(protocol, action);
      return { action, protocol, schema };
    },

    async check(
      caller: Caller,
      deviceId: number,
      { action, payload }: { action: string; payload: object },
    ): Promise<{ faults: MessageFault[] }> {
      const { protocol } = await deviceFor(caller, deviceId);
      if (catalog.schema(protocol, action) === null) throw unknownMessage(protocol, action);
      requireLength(payload);
      return { faults: catalog.faults(protocol, action, payload) };
    },
  };
}

/**
 * Checks a message from the workbench against the protocol of its device.
 * @throws {Problem} protocolUnknown, messageUnknown, messageTooLong, messageInvalid, messageHoldsSecret
 */
export function requireMessage(
  catalog: MessageCatalog,
  { protocol }: CommandedDevice,
  view: ParameterView,
  { action = '', payload = {} }: { action?: string; payload?: Readonly<Record<string, unknown>> },
): void {
  if (catalog.schema(protocol, action) === null) throw unknownMessage(protocol, action);
  requireLength(payload);
  const [fault] = catalog.faults(protocol, action, payload);
  if (fault) {
    const place = fault.path === '' ? 'payload' : fault.path.slice(1).replaceAll('/', '.');
    const problem = `${place} (${[fault.keyword, ...Object.values(fault.params).flat()].join(' ').slice(0, 200)})`;
    throw new Problem('messageInvalid', { field: 'payload', values: { problem } });
  }
  if (holdsSecret(payload, view)) throw new Problem('messageHoldsSecret', { field: 'payload' });
}

/**
 * A message may change or report every parameter, so no item may require a higher level than the caller has. @throws
 * {Problem} noPermission
 */
export function requireEveryParameter(view: ParameterView): void {
  const { parameters } = view.description;
  if (!parameters.every(({ key }) => view.mayRead(key) && view.maySet(key))) throw new Problem('noPermission');
}

function unknownMessage(protocol: string | null, action: string): Problem {
  if (protocol === null) return new Problem('protocolUnknown');
  return new Problem('messageUnknown', { field: 'action', values: { action: action.slice(0, 50) } });
}

function requireLength(payload: object): void {
  if (JSON.stringify(payload).length <= MAX_PAYLOAD_CHARACTERS) return;
  throw new Problem('messageTooLong', { field: 'payload', values: { limit: MAX_PAYLOAD_CHARACTERS } });
}

/** URLs with a user name and a password are secrets too. */
function holdsSecret(payload: object, { description }: ParameterView): boolean {
  const marked = secretKeys(description.parameters);
  return withoutSecrets(payload, marked) !== payload || /:\/\/[^/":@\s]+:[^/"@\s]+@/.test(JSON.stringify(payload));
}
