import { ENDPOINTS } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import type { Client } from '../apps/server/src/testing/client.ts';
import type { TestDatabase } from '../apps/server/src/testing/database/database.ts';

/** The issues that the scenes show. */
export interface DemoIssues {
  pending: number;
  reopened: number;
  closed: number;
  reported: number;
  late: number;
  /** an issue of an alarm of the running fleet, with evidence */
  fresh: number;
  /** where the fresh one is */
  place: { deviceId: number; siteId: number; customerId: number };
  /** an alarm without an issue */
  alarm: number;
  /** the tokens of links for people outside */
  links: Record<'comment' | 'read', string>;
}

const words = (text: string): DocumentContent => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});

/** Adds an issue of a running device with comments and links. The others are part of the history of the demo. */
export async function addIssues(pool: TestDatabase['pool'], person: Client): Promise<DemoIssues> {
  const one = async (query: string) => {
    const { rows } = await pool.query<{ id: number; deviceId: number; siteId: number; customerId: number }>(query);
    const [row] = rows;
    if (!row) throw new Error(`The demo has no row for: ${query}`);
    return row;
  };
  const issue = async (where: string) => (await one(`select id from issues i where ${where} order by id limit 1`)).id;
  const alarm = async (sn: string, order: 'asc' | 'desc') =>
    await one(`
      select a.id::int, a.device_id as "deviceId", a.site_id as "siteId", a.customer_id as "customerId"
        from alarms a join devices d on d.id = a.device_id
       where d.sn = '${sn}' and a.cleared_at is null order by a.id ${order} limit 1`);
  const faulted = await alarm('SIM00002', 'asc');
  const fresh = await person.data(ENDPOINTS.createAlarmIssue, {
    params: { id: faulted.id },
    body: {
      ...{ title: '1 号枪温度过高，充电中断', type: 3, labels: ['高温', 'urgent'] },
      body: words('巡检时枪头烫手，降功率后仍然告警。The plug is too hot to touch.'),
    },
  });
  const params = { id: fresh.id };
  await person.data(ENDPOINTS.startIssue, { params, body: {} });
  await person.data(ENDPOINTS.commentIssue, {
    params,
    body: { body: words('The fan of the cabinet turns. 滤网正常。') },
  });
  await person.data(ENDPOINTS.commentIssue, {
    params,
    body: { body: words('Spare plug is in the Kowloon workshop. 备件在九龙仓库。'), internal: true },
  });
  const share = async (comments: boolean) =>
    await person.data(ENDPOINTS.shareIssue, {
      params,
      body: { days: 7, code: false, comments, recipient: comments ? 'Delta Electronics' : 'Site owner' },
    });
  const [comment, read] = [await share(true), await share(false)];
  return {
    pending: await issue(`status = 'pending' and number > 0 and alarm_code = 'Offline'`),
    reopened: await issue(`status = 'reopen'`),
    closed: await issue(`status = 'closed'`),
    reported: await issue('exists (select from issue_reports r where r.issue_id = i.id)'),
    late: await issue('due_at < now()'),
    fresh: fresh.id,
    place: faulted,
    alarm: (await alarm('SIM00002', 'desc')).id,
    links: { comment: comment.token ?? '', read: read.token ?? '' },
  };
}
