import { type EdgePayload, numberField } from './payload.ts';
import { metricType } from './values.ts';

/** The maximum length of a message in the protocol log, in characters. */
const CHARACTERS = 60_000;

/** A message in readable form for the protocol log. A long one is cut and states its full size. */
export function describe({ timestamp, seq, metrics }: EdgePayload): string {
  const shown: string[] = [];
  let length = 0;
  for (const metric of metrics) {
    const { name, intValue, longValue, floatValue, doubleValue, booleanValue, stringValue } = metric;
    const value = metric.isNull
      ? null
      : (intValue ??
        (longValue == null ? undefined : Number(longValue)) ??
        floatValue ??
        doubleValue ??
        booleanValue ??
        stringValue);
    const at = numberField(metric, 'timestamp');
    const alias = numberField(metric, 'alias');
    const text = JSON.stringify({
      ...(name === '' ? { alias } : { name }),
      // A birth defines the aliases of later messages.
      ...(name !== '' && alias !== null ? { alias } : {}),
      ...(metric.datatype ? { type: metricType(metric.datatype) ?? metric.datatype } : {}),
      value: value ?? null,
      ...(at !== null && at !== timestamp ? { timestamp: at } : {}),
      ...(metric.isHistorical ? { isHistorical: true } : {}),
    });
    length += text.length + 1;
    if (length > CHARACTERS) break;
    shown.push(text);
  }
  const left = metrics.length - shown.length;
  const head = `{"timestamp":${timestamp},"seq":${seq},"metrics":[${shown.join(',')}]`;
  return left > 0 ? `${head},"more":${left}}` : `${head}}`;
}
