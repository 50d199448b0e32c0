import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { MessageCatalog } from '../../ports/message-catalog.ts';
import type { Dialect, DialectConnection, Outcome, Plan } from './dialect.ts';

/** The maximum number of schema violations that are listed for a payload. */
const MAX_FAULTS = 50;

/** The messages that these dialects may send, by subprotocol. */
export function messageCatalog(dialects: readonly Dialect[]): MessageCatalog {
  const byProtocol = new Map(dialects.map((dialect) => [dialect.subprotocol, dialect]));
  const dialectOf = (protocol: string | null) => (protocol === null ? undefined : byProtocol.get(protocol));
  const sent = (protocol: string | null, action: string) => {
    const dialect = dialectOf(protocol);
    return dialect?.requests.includes(action) ? dialect : null;
  };
  return {
    actions: (protocol) => dialectOf(protocol)?.requests ?? [],
    schema: (protocol, action) => sent(protocol, action)?.schemas.schemaOf(action, 'req') ?? null,
    faults(protocol, action, payload) {
      const errors = sent(protocol, action)?.schemas.violationOf(action, 'req', payload, 'all')?.errors ?? [];
      return errors.slice(0, MAX_FAULTS).map(({ instancePath, keyword, params }) => ({
        path: instancePath,
        keyword,
        params: Object.fromEntries(Object.entries(params).flatMap(([name, value]) => printable(name, value))),
      }));
    },
  };
}

function printable(name: string, value: unknown): [string, string | number | string[]][] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, value]];
  return Array.isArray(value) ? [[name, value.map(String)]] : [];
}

/** A message from the workbench: the answer is the result, and it is checked like any other. */
export function messagePlan(dialect: Dialect, connection: DialectConnection, { params }: DeviceCall): Plan | null {
  const { action, payload } = params;
  if (action === undefined || payload === undefined || !dialect.requests.includes(action)) return null;
  return {
    action,
    payload,
    read(answer) {
      const outcome = connection.readMessage({ action, payload }, answer);
      return outcome ?? readStatus(answer);
    },
  };
}

/** Statuses with which a station accepts, for all messages and versions. */
const AGREED: ReadonlySet<string> = new Set([
  'Accepted',
  'Scheduled',
  'RebootRequired',
  'Unlocked',
  'AcceptedCanceled',
]);

/** An answer without a status is a success. */
function readStatus({ status }: Record<string, unknown>): Outcome {
  if (typeof status !== 'string') return { success: true, reason: 'answered', detail: null, parameters: null };
  const success = AGREED.has(status);
  return { success, reason: success ? 'answered' : 'otherStatus', detail: status, parameters: null };
}
