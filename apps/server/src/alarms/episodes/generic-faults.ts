import { concernsFault, explainsFault, GENERIC_FAULT, placesConcerned } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { endAlarms, type Raised } from './episodes.store.ts';
import { explainedPlaces, genericFaults, nameFaults } from './generic-faults.store.ts';

/**
 * The alarms that reports raise, without faults for which the device itself reports a more specific alarm. The devices
 * must be locked.
 */
export async function withoutExplained(client: Query, raised: readonly Raised[]): Promise<readonly Raised[]> {
  const generic = raised.filter(({ code }) => code === GENERIC_FAULT);
  if (generic.length === 0) return raised;
  const connectors = generic.flatMap(({ deviceId, connector }) =>
    placesConcerned(connector).map((place) => ({ deviceId, connector: place })),
  );
  const explained = await explainedPlaces(client, connectors);
  return raised.filter(
    (one) =>
      one.code !== GENERIC_FAULT ||
      !explained.some((place) => place.deviceId === one.deviceId && concernsFault(place.connector, one.connector)),
  );
}

/**
 * Lets alarms of devices, which are raised next, take over the generic faults that they explain: the one at the same
 * connector continues with their name, others of the same EVSE are cleared. The devices must be locked.
 */
export async function takeOverFaults(client: Query, raised: readonly Raised[]): Promise<void> {
  const telling = raised.filter(explainsFault);
  if (telling.length === 0) return;
  const faults = await genericFaults(
    client,
    telling.map(({ deviceId }) => deviceId),
  );
  const concerned = faults.flatMap(({ deviceId, connector }) => {
    const about = telling.filter((one) => one.deviceId === deviceId && concernsFault(one.connector, connector));
    const [first] = about;
    const named = about.find((one) => one.connector === connector) ?? null;
    return first ? [{ deviceId, connector, at: first.at, named }] : [];
  });
  if (concerned.length === 0) return;
  const renamed = await nameFaults(
    client,
    concerned.flatMap(({ named }) => (named ? [named] : [])),
  );
  const isRenamed = ({ deviceId, connector }: { deviceId: number; connector: number }) =>
    renamed.some((one) => one.deviceId === deviceId && one.connector === connector);
  const over = concerned.filter((one) => !isRenamed(one)).map((one) => ({ ...one, code: GENERIC_FAULT }));
  if (over.length > 0) await endAlarms(client, over, 'status');
}
