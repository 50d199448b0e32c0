import { textsOfXlsx } from '../files/xlsx.ts';
import type { Person, SiteName, World } from '../world.ts';
import { type EndpointCase, fresh, type Ground, selectionOf, sitesOf } from './ground.ts';

/** An alarm of a device, by default the first one of a site. */
export async function newAlarm({ world, db }: Ground, site: SiteName, device?: number): Promise<number> {
  const now = new Date();
  const { id } = await db
    .insertInto('alarms')
    .values({
      device_id: device ?? world.devices[`${site}1`].id,
      connector: 1,
      code: fresh('CASE'),
      kind: 'fault',
      level: 'MA',
      info: null,
      raised_at: now,
      last_at: now,
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_by_name: null,
      acknowledged_note: null,
      cleared_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const onAlarm = async (ground: Ground, site: SiteName) => ({ params: { id: await newAlarm(ground, site) } });

/** Commenting on an alarm requires the permission to change its device. */
const worksOnAlarm: EndpointCase = {};

const onModel = ({ world }: { world: World }) => ({ params: { id: world.model } });

/** The codes of the seeded alarms that a user sees: one per site. */
const troublesOf = (world: World, person: Person) => ({
  names: sitesOf(world, person).map((site) => `WORLD-${site}`),
});
const listsTroubles: NonNullable<EndpointCase['scoped']> = {
  shown: ({ data }) => ({ names: (data as { items: { code: string }[] }).items.map(({ code }) => code) }),
  visible: troublesOf,
};
const counted = (count: (data: never) => number): EndpointCase['scoped'] => ({
  shown: ({ data }) => ({ names: [], total: count(data as never) }),
  visible: (world, person) => ({ names: [], total: sitesOf(world, person).length }),
});

export const ALARM_CASES: Record<string, EndpointCase> = {
  'alarms.incidents': { scoped: { ...listsTroubles, query: { limit: 50 } } },
  'alarms.list': { scoped: listsTroubles },
  'alarms.select': {
    scoped: selectionOf(
      (name) => name.split(' · ')[0],
      (world, person) => troublesOf(world, person).names,
    ),
  },
  'alarms.export': {
    scoped: {
      shown: ({ bytes }) => ({ names: textsOfXlsx(bytes).filter((text) => text.startsWith('WORLD-')) }),
      visible: troublesOf,
    },
  },
  'alarms.summary': { scoped: counted(({ total }: { total: number }) => total) },
  'alarms.ranking': { call: () => ({ query: { by: 'site' } }) },
  'alarms.trend': {
    scoped: counted(({ days }: { days: { raised: number }[] }) => days.reduce((sum, { raised }) => sum + raised, 0)),
  },
  'alarms.read': { call: onAlarm },
  'alarms.acknowledge': {
    ...worksOnAlarm,
    call: async (ground, site) => ({ body: { ids: [await newAlarm(ground, site)] } }),
  },
  'alarms.comment': {
    ...worksOnAlarm,
    call: async (ground, site) => ({ ...(await onAlarm(ground, site)), body: { comment: 'seen' } }),
  },
  'deviceEvents.list': { scoped: listsTroubles },
  'alarmCodes.list': { call: onModel },
  'alarmCodes.save': {
    call: (ground) => ({
      ...onModel(ground),
      body: { code: fresh('CODE'), nameEn: 'Fan', nameZh: '风扇', kind: null, level: 'OA' },
    }),
  },
  'alarmCodes.delete': {
    call: async ({ world, db }) => {
      const values = { device_model_id: world.model, code: fresh('CODE'), name_en: 'Fan', name_zh: '风扇' };
      const code = db.insertInto('alarm_codes').values({ ...values, kind: null, level: null });
      const { id } = await code.returning('id').executeTakeFirstOrThrow();
      return { params: { id } };
    },
  },
};
