import { createHash } from 'node:crypto';

import type { Kysely } from 'kysely';
import type { Random } from '../../../../simulator/src/past/index.ts';
import { loadPastCommands, type PastCommand, type PastExecution } from '../../operations/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import {
  FIRMWARE_FILES,
  loadPastFirmware,
  loadPastUpgrades,
  type PastFirmware,
  type PastUpgrade,
} from '../../transfers/index.ts';
import type { DemoCharger } from '../pasts.ts';
import type { Plan, PlannedCommand, PlannedRollout, PlannedUpgrade } from './plan.ts';

/** What was stored, for the action log. */
export interface Commanded {
  commands: { planned: PlannedCommand; executionId: string }[];
  firmware: (PastFirmware & { id: number }) | null;
  batches: { command: PastCommand; id: number; siteName: string }[];
  /** the upgrades of the rollout that succeeded, by device */
  upgraded: ReadonlyMap<number, { version: string; at: Date }>;
}

/** Stores the commands of users and the rollout of a firmware file. */
export async function loadCommands(
  trx: Kysely<Database>,
  store: ObjectStore,
  { plan, chargers }: { plan: Plan; chargers: readonly DemoCharger[] },
  random: Random,
): Promise<Commanded> {
  const single = plan.commands.map((planned) => ({ planned, executionId: random.uuid() }));
  const commands = single.map(({ planned, executionId }) => commandOf(planned, executionId));
  const rollout = plan.rollout && (await prepareRollout(trx, store, { ...plan.rollout, chargers, random }));
  const all = [...commands, ...(rollout?.commands ?? [])].sort((one, other) => one.at.getTime() - other.at.getTime());
  const batches = await loadPastCommands(trx, all);
  if (rollout) await loadPastUpgrades(trx, rollout.firmware, rollout.upgrades);
  const siteName = plan.rollout?.devices[0]?.siteName ?? '';
  return {
    commands: single,
    firmware: rollout?.firmware ?? null,
    batches: [...batches].map(([command, id]) => ({ command, id, siteName })),
    upgraded: new Map(
      rollout?.upgrades
        .filter(({ state }) => state === 'verified')
        .map(({ deviceId, endedAt }) => [deviceId, { version: rollout.firmware.version, at: endedAt }]),
    ),
  };
}

function commandOf(planned: PlannedCommand, executionId: string): PastCommand {
  const { kind, params, at, person, device, connector, result, reason, answer, lasts } = planned;
  const queuedAt = new Date(at);
  const ended = { result, reason, answer, detail: null, file: null, endedAt: new Date(at + lasts) };
  return {
    ...{ kind, params, at: queuedAt, userId: person.id, userName: person.userName, batch: null },
    executions: [{ ...ended, id: executionId, deviceId: device.id, connector, queuedAt, sentAt: new Date(at + 20) }],
  };
}

/** Stores the firmware file of a rollout, and gives its commands and upgrades. */
async function prepareRollout(
  trx: Kysely<Database>,
  store: ObjectStore,
  given: PlannedRollout & { chargers: readonly DemoCharger[]; random: Random },
) {
  const { person, version, uploadedAt, devices, rounds, chargers, random } = given;
  const { id: userId, userName } = person;
  const content = Buffer.alloc(
    180_000,
    `version: ${version}\nDemo firmware: the simulated charge points install it.\n`,
  );
  const objectKey = `${FIRMWARE_FILES}demo-${version}.bin`;
  await store.put({ bucket: store.buckets.firmware, key: objectKey }, content, {
    contentType: 'application/octet-stream',
  });
  const file = {
    ...{ version, fileName: `charger-${version}.bin`, objectKey, size: content.length, userId, userName },
    ...{ sha256: createHash('sha256').update(content).digest('hex'), uploadedAt: new Date(uploadedAt) },
    note: 'Reads the meter at a fixed rate; fixes a stuck connector lock',
    deviceModelIds: [...new Set(devices.map(({ modelId }) => modelId))],
  };
  const firmware = { ...file, id: await loadPastFirmware(trx, file) };
  const former = new Map(chargers.map(({ device, past }) => [device.id, past.identity.firmwareVersion]));
  const commands: PastCommand[] = [];
  const upgrades: PastUpgrade[] = [];
  const [place] = devices;
  for (const round of rounds) {
    const at = new Date(round.at);
    const executions = round.upgrades.map((upgrade) => executionOf(upgrade, round.at, random.uuid()));
    for (const [index, upgrade] of round.upgrades.entries()) {
      upgrades.push({
        ...{ executionId: executions[index]?.id ?? '', deviceId: upgrade.device.id, userId, userName, requestedAt: at },
        ...{ formerVersion: former.get(upgrade.device.id) ?? '', endedAt: new Date(upgrade.to) },
        ...progressOf(upgrade, content.length),
      });
    }
    commands.push({
      ...{
        kind: 'upgradeSoftware',
        params: { firmwareId: firmware.id, transport: 'http' },
        at,
        userId,
        userName,
        executions,
      },
      batch: place
        ? { siteId: place.siteId, customerId: place.customerId, parallel: 20, rerunOf: commands[0] ?? null }
        : null,
    });
  }
  return { firmware, commands, upgrades };
}

function executionOf({ device, from, outcome }: PlannedUpgrade, at: number, id: string): PastExecution {
  const file = ({ verified: 'done', downloadFailed: 'failed', noProgress: 'timedOut' } as const)[outcome];
  return {
    ...{
      id,
      deviceId: device.id,
      connector: 0,
      result: 'success',
      reason: 'accepted',
      detail: null,
      answer: {},
    },
    ...{ file, queuedAt: new Date(at), sentAt: new Date(from), endedAt: new Date(from + 300) },
  };
}

/** What a charge point reported of its upgrade, and how it ended. */
function progressOf(
  { from, to, outcome }: PlannedUpgrade,
  size: number,
): Pick<PastUpgrade, 'state' | 'reason' | 'bytes' | 'reports'> {
  const report = (at: number, word: string, state: PastUpgrade['reports'][number]['state']) => ({
    ...{ at: new Date(at), word, state },
  });
  const downloading = report(from + 8_000, 'Downloading', 'downloading');
  switch (outcome) {
    case 'verified': {
      const installing = from + 90_000;
      const reports = [
        downloading,
        report(installing - 10_000, 'Downloaded', 'downloaded'),
        report(installing, 'Installing', 'installing'),
        report(to - 5_000, 'Installed', 'installed'),
      ];
      return { state: 'verified', reason: null, bytes: size, reports };
    }
    case 'downloadFailed':
      return {
        ...{ state: 'failed', reason: 'downloadFailed', bytes: Math.round(size * 0.4) },
        reports: [downloading, report(to, 'DownloadFailed', 'failed')],
      };
    case 'noProgress':
      return { state: 'timedOut', reason: 'noProgress', bytes: Math.round(size * 0.1), reports: [downloading] };
  }
}
