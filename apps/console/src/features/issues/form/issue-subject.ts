import { ISSUE_PRIORITIES, ISSUE_TYPES, type IssuePriority, type IssueType } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../shared/api/query.ts';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { useCommandWords } from '../shared/command-words.ts';
import type { IssueReaders } from '../shared/issue-readers.ts';

/** What a new issue is about, by its ID. */
export type Subject =
  | { kind: 'alarm'; id: number }
  | { kind: 'execution'; id: string; deviceId: number | null }
  | { kind: 'device'; id: number }
  | { kind: 'site'; id: number }
  | { kind: 'customer'; id: number };

/** What is known of a subject, and what the form begins with. */
export interface KnownSubject {
  /** null: it could not be read, and the server checks it */
  name: string | null;
  title: string;
  type: IssueType;
  priority: IssuePriority;
  occurredAt: string | null;
  alarmCode: string | null;
  /** where the users who can see the new issue are found; null: unknown */
  readers: IssueReaders | null;
}

/** The subject in the address of the form; the most exact one counts. */
export function subjectIn(search: URLSearchParams): Subject | null {
  const number = (name: string) => {
    const value = Number(search.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : null;
  };
  const alarmId = number('alarmId');
  if (alarmId !== null) return { kind: 'alarm', id: alarmId };
  const executionId = search.get('executionId');
  if (executionId) return { kind: 'execution', id: executionId, deviceId: number('deviceId') };
  for (const kind of ['device', 'site', 'customer'] as const) {
    const id = number(`${kind}Id`);
    if (id !== null) return { kind, id };
  }
  return null;
}

/** Where the users who can see an issue about a subject are found; null for an alarm, whose site must be read first. */
export function readersOf(subject: Subject): IssueReaders | null {
  switch (subject.kind) {
    case 'alarm':
      return null;
    case 'execution':
      return subject.deviceId === null ? null : { kind: 'device', id: subject.deviceId };
    default:
      return { kind: subject.kind, id: subject.id };
  }
}

const DEVICE_START = {
  ...{ title: '', type: ISSUE_TYPES.charging, priority: ISSUE_PRIORITIES.OA },
  ...{ occurredAt: null, alarmCode: null },
} as const;
const PLACE_START = { ...DEVICE_START, type: ISSUE_TYPES.standalone } as const;

/** Reads what the issue is about; null while it is loading. A subject that the user may not read has no name. */
export function useSubject(subject: Subject | null): KnownSubject | null {
  const { nameOf } = useNames();
  const { nameOf: commandName } = useCommandWords();
  const of = <K extends Subject['kind']>(kind: K) =>
    subject?.kind === kind ? (subject as Extract<Subject, { kind: K }>) : null;
  const [alarmOf, executionOf] = [of('alarm'), of('execution')];
  const deviceId = of('device')?.id ?? executionOf?.deviceId ?? null;
  const [siteOf, customerOf] = [of('site'), of('customer')];
  const quiet = { quiet: true };
  const id = (value: number | null | undefined) => ({ params: { id: value ?? 0 } });
  const alarm = useQuery({ ...queryOf('readAlarm', id(alarmOf?.id), quiet), enabled: alarmOf !== null });
  const device = useQuery({ ...queryOf('readDevice', id(deviceId), quiet), enabled: deviceId !== null });
  const site = useQuery({ ...queryOf('readSite', id(siteOf?.id), quiet), enabled: siteOf !== null });
  const customer = useQuery({ ...queryOf('readCustomer', id(customerOf?.id), quiet), enabled: customerOf !== null });
  const execution = useQuery({
    ...queryOf('readExecution', { params: { id: deviceId ?? 0, executionId: executionOf?.id ?? '' } }, quiet),
    enabled: executionOf !== null && deviceId !== null,
  });
  if (subject === null) return null;
  if ([alarm, device, site, customer, execution].some(({ isLoading }) => isLoading)) return null;
  const named = (start: typeof DEVICE_START | typeof PLACE_START, name: string | undefined) => ({
    ...start,
    name: name ?? null,
    readers: readersOf(subject),
  });
  switch (subject.kind) {
    case 'alarm': {
      const { data } = alarm;
      if (!data) return named(DEVICE_START, undefined);
      const code =
        data.nameEn !== null && data.nameZh !== null ? nameOf({ en: data.nameEn, zh: data.nameZh }) : data.code;
      return {
        name: `${code} · ${data.deviceName}`,
        title: `${code} · ${data.deviceName}`,
        type: ISSUE_TYPES.charging,
        priority: ISSUE_PRIORITIES[data.level],
        occurredAt: data.raisedAt,
        alarmCode: data.code,
        // An alarm belongs to where it was raised.
        readers: { kind: 'site', id: data.siteId },
      };
    }
    case 'execution': {
      const what = execution.data && commandName(execution.data.kind);
      const name = [what, device.data?.name].filter(Boolean).join(' · ');
      return {
        ...named(DEVICE_START, name || undefined),
        ...{ title: name, occurredAt: execution.data?.queuedAt ?? null },
      };
    }
    case 'device':
      return named(DEVICE_START, device.data && `${device.data.name} (${device.data.sn})`);
    case 'site':
      return named(PLACE_START, site.data?.name);
    case 'customer':
      return named(PLACE_START, customer.data?.name);
  }
}
