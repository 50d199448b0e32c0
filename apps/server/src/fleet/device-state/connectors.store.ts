import { CHARGING_STATUSES } from '@chargehand/domain';
import { numberArray, type Statement, textArray, timeArray, words } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, lastOfEach } from '../../ports/uplink-items.ts';

/**
 * SQL for the connector status after a report: Occupied does not overwrite a status from the transaction, unless the
 * device has booted since.
 */
const STATUS = `case when excluded.status = 'Occupied' and not c.outdated and c.status in (${words(CHARGING_STATUSES)})
            then c.status else excluded.status end`;

/** Stores the last reported state of connectors. `since` changes only when the status itself changes. */
export function connectorStatements(items: readonly Item<'connectorStatus'>[]): Statement[] {
  if (items.length === 0) return [];
  const last = lastOfEach(items, (item) => `${item.deviceId} ${item.event.connector}`);
  return [
    {
      name: 'connectors',
      text: `insert into connectors as c (device_id, connector, status, error_code, vendor_error_code, info, since, updated_at)
        select d, n, s, e, v, i, to_timestamp(t / 1000), to_timestamp(t / 1000)
        from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[]) as r (d, n, s, e, v, i, t)
        on conflict (device_id, connector) do update set
          status = ${STATUS}, error_code = excluded.error_code, vendor_error_code = excluded.vendor_error_code,
          info = excluded.info, updated_at = excluded.updated_at, outdated = false,
          since = case when c.status = ${STATUS} then c.since else excluded.since end`,
      values: [
        numberArray(last.map((item) => item.deviceId)),
        numberArray(last.map((item) => item.event.connector)),
        textArray(last.map((item) => storableText(item.event.status, 64))),
        textArray(last.map((item) => storableText(item.event.errorCode, 64))),
        textArray(last.map((item) => storableText(item.event.vendorErrorCode, 64))),
        textArray(last.map((item) => storableText(item.event.info, 255))),
        timeArray(last.map((item) => item.event.at)),
      ],
    },
  ];
}
