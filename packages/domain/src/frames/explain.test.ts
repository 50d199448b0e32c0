import { expect, test } from 'vitest';
import { explainFrame, parseFrame } from './explain.ts';

/** The fields of a frame as `path = value: meaning [unit]`. */
function explained(protocol: string, body: unknown, action: string | null, locale = 'en-US'): string[] {
  const frame = parseFrame(JSON.stringify(body), action)!;
  return explainFrame(protocol, 'receive', frame, locale).fields.map(
    ({ path, value, meaning, unit }) =>
      `${path} = ${JSON.stringify(value)}: ${meaning}${unit === undefined ? '' : ` [${unit}]`}`,
  );
}

const status = [2, 'm', 'StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'SuspendedEV' }];
const sample = (value: object) => ({ meterValue: [{ timestamp: '2026-11-26T08:00:00Z', sampledValue: [value] }] });
const own = { vendorId: 'Chargehand', messageId: 'startVpn' };

test.each<[string, string, unknown, string | null, string, string[]]>([
  [
    ...(['a call', 'ocpp1.6', status, null, 'en-US'] as const),
    [
      'connectorId = 1: Connector; 0 is the whole device',
      'errorCode = "GroundFailure": Error of the connector: residual current detected',
      'status = "SuspendedEV": State of the connector: paused by the vehicle',
    ],
  ],
  [
    ...(['a call in Chinese', 'ocpp1.6', status, null, 'zh-CN'] as const),
    [
      'connectorId = 1: 枪号；0 表示整台设备',
      'errorCode = "GroundFailure": 枪的故障码：漏电保护动作',
      'status = "SuspendedEV": 枪的状态：车辆暂停充电',
    ],
  ],
  [
    ...(['a result', 'ocpp1.6', [3, 'm', { status: 'Accepted', interval: 300 }], 'BootNotification', 'en-US'] as const),
    [
      'status = "Accepted": Whether the device is accepted: accepted',
      'interval = 300: Seconds between heartbeats, or until the next attempt [s]',
    ],
  ],
  [
    'an error',
    'ocpp2.0.1',
    [4, 'm', 'FormatViolation', 'no id', { status: 'Accepted' }],
    ...(['Reset', 'en-US'] as const),
    [
      'errorCode = "FormatViolation": Kind of error: invalid message',
      'errorDescription = "no id": Description of the error',
      'errorDetails.status = "Accepted": ',
    ],
  ],
  [
    'a measured value',
    'ocpp1.6',
    [2, 'm', 'MeterValues', sample({ value: '31.5', measurand: 'Temperature', location: 'Inlet', unit: 'Celsius' })],
    ...([null, 'en-US'] as const),
    [
      'meterValue[0].timestamp = "2026-11-26T08:00:00Z": When the values were measured',
      'meterValue[0].sampledValue[0].value = "31.5": Measured value: temperature [°C]',
      'meterValue[0].sampledValue[0].measurand = "Temperature": Measured quantity: temperature',
      'meterValue[0].sampledValue[0].location = "Inlet": Where the value was measured: at the inlet',
      'meterValue[0].sampledValue[0].unit = "Celsius": Unit of the value: degrees Celsius',
    ],
  ],
  [
    'a measured value with defaults',
    'ocpp2.0.1',
    [2, 'm', 'MeterValues', sample({ value: 5 })],
    ...([null, 'en-US'] as const),
    [
      'meterValue[0].timestamp = "2026-11-26T08:00:00Z": When the values were measured',
      'meterValue[0].sampledValue[0].value = 5: Measured value: meter reading of active energy to the vehicle [Wh]',
    ],
  ],
  [
    'a message of ours in DataTransfer',
    'ocpp1.6',
    [2, 'm', 'DataTransfer', { ...own, data: JSON.stringify({ link: '7', forwards: [{ listen: 1 }], odd: true }) }],
    ...([null, 'en-US'] as const),
    [
      'vendorId = "Chargehand": Manufacturer or vendor that defines the content',
      'messageId = "startVpn": Name of the message of the vendor: Open a remote link (control 7)',
      'data.link = "7": Number of the link',
      'data.forwards[0].listen = 1: Port to request on the server',
      'data.odd = true: ',
    ],
  ],
  [
    'DataTransfer of another vendor',
    'ocpp1.6',
    [2, 'm', 'DataTransfer', { vendorId: 'Acme', messageId: 'startVpn', data: '{"link":"7"}' }],
    ...([null, 'en-US'] as const),
    [
      'vendorId = "Acme": Manufacturer or vendor that defines the content',
      'messageId = "startVpn": Name of the message of the vendor',
      'data = "{\\"link\\":\\"7\\"}": Data in the format of the vendor',
    ],
  ],
  [
    'fields that are not described, and values that are equal to an enumeration by chance',
    'ocpp2.0.1',
    [2, 'm', 'Authorize', { idToken: { idToken: 'Local', type: 'Local', customData: { id: 1 } }, constructor: 'x' }],
    ...([null, 'en-US'] as const),
    [
      'idToken.idToken = "Local": Card number or other identifier of the user',
      'idToken.type = "Local": Kind of identifier: at the device',
      'idToken.customData.id = 1: ',
      'constructor = "x": ',
    ],
  ],
  [
    ...(['readings in plain JSON', 'mqtt-json'] as const),
    { at: '2026-11-26T08:00:00Z', values: { status: 5, Energy: { value: 12, unit: 'kWh' } } },
    ...(['telemetry', 'en-US'] as const),
    [
      'at = "2026-11-26T08:00:00Z": Time of the message',
      'values.status = 5: Reading',
      'values.Energy.value = 12: Reading [kWh]',
      'values.Energy.unit = "kWh": Unit of the value',
    ],
  ],
  [
    ...(['a command in plain JSON', 'mqtt-json'] as const),
    { id: 'c', command: 'setParameter', connector: 0, params: { key: 'Limit', value: '6' } },
    ...(['command', 'zh-CN'] as const),
    [
      'id = "c": 命令编号',
      'command = "setParameter": 命令：设置参数',
      'connector = 0: 枪号或端口号；0 表示整台设备',
      'params.key = "Limit": 参数名',
      'params.value = "6": 参数的新值',
    ],
  ],
  [
    ...(['metrics of Sparkplug', 'sparkplug-b'] as const),
    {
      ...{ timestamp: 5, seq: 1 },
      metrics: [
        { name: 'Battery/State', value: 2 },
        { name: 'Alarms/HOT', value: true },
        { name: 'Power', value: 1 },
      ],
    },
    ...(['NDATA', 'en-US'] as const),
    [
      'timestamp = 5: Time, in milliseconds since 1970 [ms]',
      'seq = 1: Sequence number, 0 to 255',
      'metrics[0].name = "Battery/State": Name of the metric',
      'metrics[0].value = 2: State of the device: discharging',
      'metrics[1].name = "Alarms/HOT": Name of the metric',
      'metrics[1].value = true: Whether the alarm is raised',
      'metrics[2].name = "Power": Name of the metric',
      'metrics[2].value = 1: Value of the metric',
    ],
  ],
])('explains %s', (_, protocol, body, action, locale, expected) => {
  expect(explained(protocol, body, action, locale)).toEqual(expected);
});

test('only JSON is a message, and one that is too deep is none', () => {
  expect([null, 'not JSON', '['.repeat(100_000)].map((body) => parseFrame(body, null))).toEqual([null, null, null]);
});

test('a large frame has 500 explained fields at most', () => {
  expect(explained('ocpp1.6', [3, 'm', { unknownKey: Array(2_000).fill('k') }], 'GetConfiguration')).toHaveLength(500);
});
