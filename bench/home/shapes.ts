import { DEFAULT_ZONE } from '../../packages/domain/src/index.ts';

/** A figure of Home as requested by one of three users, and the same query as bare SQL. */
export interface Shape {
  name: string;
  reader: 'root' | 'own' | 'assigned';
  path: string;
  sql: string;
}

const READERS = ['root', 'own', 'assigned'] as const;

/** The condition for the scope of each user on a table with `customer_id` and a site column. */
const SCOPES = {
  root: () => 'true',
  own: () => 'customer_id = $customer',
  assigned: (site: string) => `customer_id = $customer and ${site} = any('{$sites}'::int[])`,
};

const START = (days: number) =>
  `((now() at time zone '${DEFAULT_ZONE}')::date - ${days - 1})::timestamp at time zone '${DEFAULT_ZONE}'`;

/** The figures of Home: `$` is the placeholder for the scope condition of the user, `@` for the condition on sites. */
const FIGURES: Record<string, { path: string; sql: string }> = {
  'key figures': {
    path: 'key-figures',
    sql: `select f.at, sum(f.served), sum(f.available), sum(f.energy_wh), sum(f.sessions) from site_figure_days f
            join sites s on s.id = f.site_id where @ and f.at >= now() - interval '7 days' group by f.at`,
  },
  incidents: {
    path: 'alarms/incidents?limit=8',
    sql: `select site_id, code, max(severity), min(raised_at), count(*), count(distinct device_id) from alarms
           where cleared_at is null and $ group by 1, 2 order by 3 desc, 4 desc limit 8`,
  },
  'devices by status': {
    path: 'devices/counters',
    sql: 'select status, count(*) from device_status where $ group by status',
  },
  'sites by state': {
    path: 'sites/states',
    sql: `select s.id, d.*, a.* from sites s
            left join (select site_id, count(*), count(*) filter (where status = 'faulted'), count(*) filter (where status = 'offline')
                         from device_status where $ group by 1) d on d.site_id = s.id
            left join (select site_id, count(*), max(level) from alarms where cleared_at is null and $ group by 1) a on a.site_id = s.id
           where @`,
  },
  'open alarms counted': {
    path: 'alarms/summary',
    sql: 'select level, kind, suppressed, count(*) from alarms where cleared_at is null and $ group by 1, 2, 3',
  },
  'open alarms, worst first': {
    path: 'alarms?state=open&suppressed=false&sort=-level&limit=10',
    sql: `select a.*, d.name, d.sn, s.name, m.name
            from (select * from alarms where cleared_at is null and $ order by severity desc, raised_at desc, id desc limit 10) a
            join devices d on d.id = a.device_id join sites s on s.id = a.site_id join device_models m on m.id = a.device_model_id`,
  },
  'recent events': {
    path: 'device-events?limit=10',
    sql: `select e.*, d.name, s.name from (select * from device_events where $ order by at desc, id desc limit 10) e
            join devices d on d.id = e.device_id join sites s on s.id = e.site_id`,
  },
  ...Object.fromEntries(
    (
      [
        ['site', 'site_id', 7],
        ['device', 'device_id', 30],
        ['code', 'code', 90],
      ] as const
    ).map(([by, column, days]) => [
      `ranking by ${by}, ${days} days`,
      {
        path: `alarms/ranking?by=${by}&days=${days}`,
        sql: `select ${column}, count(*) from alarms where raised_at >= ${START(days)} and not suppressed and $
               group by 1 order by 2 desc limit 10`,
      },
    ]),
  ),
  'trend, 90 days': {
    path: 'alarms/trend?days=90',
    sql: ['raised_at', 'cleared_at']
      .map(
        (column) => `(select (${column} at time zone '${DEFAULT_ZONE}')::date, count(*) from alarms
                       where ${column} >= ${START(90)} and not suppressed and $ group by 1)`,
      )
      .join(' union all '),
  },
};

export const SHAPES: readonly Shape[] = Object.entries(FIGURES).flatMap(([name, { path, sql }]) =>
  READERS.map((reader) => ({
    name: `${name} (${reader})`,
    reader,
    path,
    sql: sql.replaceAll('$', SCOPES[reader]('site_id')).replaceAll('@', SCOPES[reader]('s.id')),
  })),
);
