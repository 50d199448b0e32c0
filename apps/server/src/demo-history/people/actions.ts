import type { PastAlarm } from '../../alarms/index.ts';
import type { PastAction } from '../../audit/index.ts';
import { DEMO_CUSTOMERS, type DemoDevice } from '../../fleet/index.ts';
import type { ActionEntry } from '../../ports/action-log.ts';
import type { Commanded } from './commands.ts';
import { daysIn, type Person } from './people.ts';
import type { Plan, Span } from './plan.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The action log of the weeks: what users did to devices, alarms, firmware and sites. */
export function actionsOf(given: {
  plan: Plan;
  people: readonly Person[];
  devices: ReadonlyMap<number, DemoDevice>;
  alarms: readonly PastAlarm[];
  alarmIds: readonly number[];
  commanded: Commanded;
  span: Span;
}): PastAction[] {
  const { plan, people, devices, alarms, alarmIds, commanded, span } = given;
  const by = (person: Person, at: number, entry: ActionEntry): PastAction => ({
    ...{ at: new Date(at), userId: person.id, userName: person.userName, address: person.address, ...entry },
  });
  const actions = [
    ...commanded.commands.map(({ planned: { at, person, device, kind, connector, params }, executionId }) =>
      by(person, at, {
        ...onDevice(device, 'control'),
        after: { kind, ...(connector === 0 ? {} : { connector }), ...params, executionId },
      }),
    ),
    ...plan.works.flatMap(({ from, to, person, device, note }) => [
      by(person, from, {
        ...onDevice(device, 'edit'),
        ...{ before: { maintenance: false }, after: { maintenance: true, note } },
      }),
      by(person, to, {
        ...onDevice(device, 'edit'),
        ...{ before: { maintenance: true }, after: { maintenance: false, unmaintainedDays: 0 } },
      }),
    ]),
    ...rolloutActions(plan, commanded, by),
    ...siteActions(people, devices, span, by),
  ];
  for (const [index, { acknowledged, deviceId, code }] of alarms.entries()) {
    const device = devices.get(deviceId);
    const person = people.find(({ id }) => id === acknowledged?.userId);
    if (!acknowledged || !device || !person) continue;
    const object = {
      ...({ operation: 'edit', objectType: 'alarm', objectId: String(alarmIds[index]) } as const),
      ...{ objectName: `${code} · ${device.name}`, customerId: device.customerId, siteId: device.siteId },
    };
    const at = acknowledged.at.getTime();
    actions.push(by(person, at, { ...object, after: { acknowledged: true, note: acknowledged.note } }));
    if (acknowledged.comment !== null) {
      actions.push(by(person, at, { ...object, after: { comment: acknowledged.comment } }));
    }
  }
  return actions;
}

type By = (person: Person, at: number, entry: ActionEntry) => PastAction;

function onDevice(device: DemoDevice, operation: 'control' | 'edit') {
  return {
    ...{ operation, objectType: 'device' as const, objectId: String(device.id), objectName: device.name },
    ...{ customerId: device.customerId, siteId: device.siteId },
  };
}

function rolloutActions({ rollout }: Plan, { firmware, batches }: Commanded, by: By): PastAction[] {
  if (!rollout || !firmware) return [];
  const { id, version, fileName, size, sha256, note, deviceModelIds } = firmware;
  const uploaded = by(rollout.person, rollout.uploadedAt, {
    ...{
      operation: 'new',
      objectType: 'firmware' as const,
      objectId: String(id),
      objectName: version,
      customerId: null,
      siteId: null,
    },
    after: { kind: 'software', version, fileName, size, sha256, note, deviceModelIds },
  });
  const [first] = batches;
  return [
    uploaded,
    ...batches.map(({ command, id: batchId, siteName }) =>
      by(rollout.person, command.at.getTime(), {
        ...{
          operation: 'control',
          objectType: 'commandBatch' as const,
          objectId: String(batchId),
          objectName: siteName,
        },
        ...{ customerId: command.batch?.customerId ?? null, siteId: command.batch?.siteId ?? null },
        after: {
          ...{ kind: command.kind, ...command.params, devices: command.executions.length },
          ...(batchId === first?.id ? {} : { rerunOf: first?.id }),
        },
      }),
    ),
  ];
}

/** Administrators correct the details of their sites. The values are those that the sites have now. */
function siteActions(
  people: readonly Person[],
  devices: ReadonlyMap<number, DemoDevice>,
  span: Span,
  by: By,
): PastAction[] {
  const days = daysIn(span);
  const places = new Map([...devices.values()].map((device) => [device.siteCode, device]));
  return DEMO_CUSTOMERS.flatMap(({ code, sites }, customer) =>
    sites.flatMap((site, index) => {
      const place = places.get(site.code);
      const person = people.find(({ customerCode, role }) => customerCode === code && role !== 'Viewer');
      const day = days[(customer * 5 + index * 2 + 1) % days.length];
      if (!place || !person || day === undefined) return [];
      const entry = {
        ...({
          operation: 'edit',
          objectType: 'site' as const,
          objectId: String(place.siteId),
          objectName: site.name,
        } as const),
        ...{ customerId: place.customerId, siteId: place.siteId },
      };
      const change =
        index % 2 === 0
          ? { before: { phone: '' }, after: { phone: site.phone } }
          : { before: { contact: '' }, after: { contact: site.contact } };
      const at = day + (10 + index) * HOUR;
      // The last day has not ended.
      return [by(person, at < span.to ? at : at - DAY, { ...entry, ...change })];
    }),
  );
}
