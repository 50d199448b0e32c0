import type { DeviceDetail, ExecutionRow, NewCommand, OfferedControl } from '@chargehand/contract';
import { COMMAND_RULES, type CommandKind } from '@chargehand/domain';

/** Why a command is not possible now, known before it is sent. */
export type Obstacle = 'noPermission' | 'disabled' | 'offline';

type Subject = Pick<DeviceDetail, 'enabled' | 'connected' | 'may'>;

/** Why a kind of command is not possible on a device, or null. The most permanent reason comes first. */
export function obstacleOf(device: Subject, kind: CommandKind): Obstacle | null {
  const { right } = COMMAND_RULES[kind];
  const may = {
    control: device.may.control,
    everything: device.may.control && device.may.readParameters && device.may.setParameters,
    readParameters: device.may.readParameters,
    writeParameters: device.may.setParameters,
  }[right];
  if (!may) return 'noPermission';
  if (!device.enabled) return 'disabled';
  return device.connected ? null : 'offline';
}

/** Why a control of a device is not possible. Being offline is not a reason, because a command can be queued. */
export function controlObstacleOf(
  device: Pick<DeviceDetail, 'enabled'>,
  control: Pick<OfferedControl, 'may'>,
): Exclude<Obstacle, 'offline'> | null {
  if (!control.may) return 'noPermission';
  return device.enabled ? null : 'disabled';
}

/** Commands that end or affect a charging session in progress. */
const DISTURBING: ReadonlySet<CommandKind> = new Set([
  ...(['softReset', 'hardReset', 'disableSystem', 'disableConnector', 'unlockConnector'] as const),
]);

/** The connectors of a device by number: the reported ones, and those that its model defines. */
export function connectorsOf<C extends { connector: number; status: string }>(
  device: Pick<DeviceDetail, 'deviceModelConnectors'>,
  reported: readonly C[],
): (C | { connector: number; status: '' })[] {
  const known = reported.filter(({ connector }) => connector > 0);
  const numbers = Array.from({ length: device.deviceModelConnectors ?? 0 }, (_, index) => index + 1);
  const unreported = numbers.filter((number) => known.every(({ connector }) => connector !== number));
  return [...known, ...unreported.map((connector) => ({ connector, status: '' as const }))].sort(
    (one, other) => one.connector - other.connector,
  );
}

/** The connectors whose charging session a command affects. */
export function disturbedSessions<C extends { connector: number; transaction: unknown }>(
  command: NewCommand,
  connectors: readonly C[],
): C[] {
  if (!DISTURBING.has(command.kind)) return [];
  return connectors.filter(
    (one) => one.transaction !== null && (command.connector === undefined || command.connector === one.connector),
  );
}

/** The keys of parameters with a pending read or set command; `all` when all parameters are being read. */
export function waitingKeys(executions: readonly ExecutionRow[]): { all: boolean; keys: ReadonlySet<string> } {
  const waiting = executions.filter(({ state }) => state !== 'ended');
  const keys = waiting.map(({ params }) => params.key).filter((key) => typeof key === 'string');
  return {
    all: waiting.some(
      ({ kind, params }) =>
        kind === 'refreshConfiguration' || (kind === 'refreshParameters' && params.key === undefined),
    ),
    keys: new Set(keys),
  };
}
