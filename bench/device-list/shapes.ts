/** A request for the list, and the same query as bare SQL. */
export interface Shape {
  name: string;
  reader: 'root' | 'own' | 'assigned';
  query: string;
  /** condition on `devices`; `$customer` and `$sites` are placeholders for the scope of the user */
  where: string;
  order: string;
  /** with the narrow table `st` of the statuses, which has `since` */
  byStatus?: true;
}

const NAME = 'name collate natural_sort, id';
/** The searched text, as its index has it. */
const TEXT = `((' ' || coalesce(sn, '') || ' ' || coalesce(name, '') || ' ' || coalesce(search_words, '') || ' ') collate "default")`;

export const SHAPES: readonly Shape[] = [
  { name: 'all, by name', reader: 'root', query: '', where: 'true', order: NAME },
  {
    name: 'filter + sort',
    reader: 'root',
    query: 'status=faulted,working&sort=-statusSince',
    where: `st.status = any('{faulted,working}'::text[])`,
    order: 'status_since desc, id desc',
    byStatus: true,
  },
  {
    name: 'search',
    reader: 'root',
    query: 'search=CP000123',
    where: `${TEXT} ilike '%CP000123%'`,
    order: NAME,
  },
  {
    name: 'search, many hits',
    reader: 'root',
    query: 'search=Site%2077',
    where: `${TEXT} ilike '%Site%' and ${TEXT} ilike '%77%'`,
    order: NAME,
  },
  {
    name: 'search, two letters',
    reader: 'root',
    query: `search=${encodeURIComponent('站点')}`,
    where: `${TEXT} ilike '%站点%'`,
    order: NAME,
  },
  { name: 'site', reader: 'root', query: 'siteId=$site', where: 'site_id = $site', order: NAME },
  {
    name: 'model',
    reader: 'root',
    query: 'deviceModelId=$model&sort=sn',
    where: 'device_model_id = $model',
    order: 'sn collate natural_sort, id',
  },
  {
    name: 'type',
    reader: 'root',
    query: 'type=3',
    where: 'device_model_id in (select id from device_models where type = 3)',
    order: NAME,
  },
  {
    name: 'active alarm',
    reader: 'root',
    query: 'alarm=active',
    where: 'id in (select device_id from alarms where cleared_at is null)',
    order: NAME,
  },
  { name: 'page 4,000', reader: 'root', query: 'page=4000', where: 'true', order: NAME },
  {
    name: 'own customer',
    reader: 'own',
    query: 'sort=-statusSince',
    where: `st.customer_id = any('{$customer}'::int[])`,
    order: 'status_since desc, id desc',
    byStatus: true,
  },
  {
    name: 'own, filter',
    reader: 'own',
    query: 'status=faulted',
    where: `st.customer_id = any('{$customer}'::int[]) and st.status = 'faulted'`,
    order: NAME,
    byStatus: true,
  },
  {
    name: 'assigned sites',
    reader: 'assigned',
    query: '',
    where: `customer_id = any('{$customer}'::int[]) and site_id = any('{$sites}'::int[])`,
    order: NAME,
  },
];

/** The two bare queries of a shape: the page of 20 with the columns of a row, and the total. */
export function bareQueries(shape: Shape, page: number): { rows: string; total: string } {
  const from = shape.byStatus ? 'devices join device_status st on st.device_id = devices.id' : 'devices';
  const order = shape.order.replace('status_since', 'st.since');
  return {
    rows: `
      select d.id, d.sn, d.name, d.status, d.status_since, d.enabled, d.site_id, site.name as site_name, d.customer_id,
             customer.name as customer_name, d.device_model_id, model.name as model_name, model.type, d.soft_version,
             state.connected, state.last_seen_at
        from (select devices.* from ${from} where ${shape.where} order by ${order} limit 20 offset ${(page - 1) * 20}) d
        join sites site on site.id = d.site_id join customers customer on customer.id = d.customer_id
        join device_models model on model.id = d.device_model_id
        left join device_states state on state.device_id = d.id
       order by ${shape.order.replace(/(\w+)( collate natural_sort)?( desc)?(,|$)/g, 'd.$1$2$3$4')}`,
    total: `select count(*) as total from ${shape.byStatus ? 'device_status st' : 'devices'} where ${shape.where}`,
  };
}
