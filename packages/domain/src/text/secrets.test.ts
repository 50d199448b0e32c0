import { expect, test } from 'vitest';
import { frameWithoutSecrets, STORED_CHARACTERS } from './frame-secrets.ts';
import { isSecretParameter, mayContainSecrets, secretKeys, withoutSecrets } from './secrets.ts';

test.each([
  ...['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword', 'WifiPsk', 'wifi_psk', 'WIFI-PSK', 'WIFIPSK', 'PSK'],
  ...[
    'ApiToken',
    'api_token',
    'AccessTokens',
    'ApiKey',
    'apikey',
    'WifiPass',
    'wifiPassword',
    'FTPPasswd',
    'SimPin',
    'ticket',
  ],
  ...['PrivateKey', 'private_key', 'SharedKey', 'ClientSecret', 'MqttCredentials', 'NetworkCtrlr.WpaKey', 'adminPwd'],
  ...['apnPassword', 'EncryptionKey', 'WiFi.Passphrase', 'UnlockPasscode'],
  ...['Psk2', 'Psk12', 'ApiKeys', 'Passwords', 'Secrets', 'Credential', 'Wpa2Key', 'WEPKey', 'authKey', 'Puk'],
  ...['SIM__Pin', 'Net/Wifi:Psk', 'mqttsecret', 'HTTPPassword', 'AUTHTokens', 'privatekey', 'clientpassphrase'],
])('%s is a secret', (key) => {
  expect(isSecretParameter(key)).toBe(true);
  expect(mayContainSecrets(`{"key":"${key}"}`)).toBe(true);
});

test.each([
  ...['HeartbeatInterval', 'AuthorizeRemoteTxRequests', 'AuthorizationCacheEnabled', 'GetConfigurationMaxKeys'],
  ...['TokenReader.Enabled', 'IdToken', 'SupportedTokens', 'AuthCtrlr.MasterPassGroupId', 'PinCount', 'PublicKey'],
  ...['PublicKeyWithSignedMeterValue', 'MonkeyMode', 'Keyboard', 'ConnectorPhaseRotation', 'ShippingDate', 'Bypass'],
  ...['ApiKeyboard', 'ApiMonkeys', 'Tokenizer', 'MyTokensList', 'Compass', 'Pinned', 'Passage', 'SpinCount', 'Pukka'],
  ...['CentralToken', 'SecretaryName', 'PskReader.Count', 'DriverIdToken', 'RawApiary', ''],
])('%s is not a secret', (key) => {
  expect(isSecretParameter(key)).toBe(false);
});

test.each([
  [
    { configurationKey: [{ key: 'WifiPsk', readonly: false, value: 'hidden-1' }] },
    { configurationKey: [{ key: 'WifiPsk', readonly: false, value: '***' }] },
  ],
  [
    [{ component: { name: 'Net' }, variable: { name: 'ApiToken' }, attributeValue: 'hidden-1' }],
    [{ component: { name: 'Net' }, variable: { name: 'ApiToken' }, attributeValue: '***' }],
  ],
  [
    { variable: { name: 'WifiPsk' }, variableAttribute: [{ type: 'Actual', value: 'hidden-1' }] },
    { variable: { name: 'WifiPsk' }, variableAttribute: [{ type: 'Actual', value: '***' }] },
  ],
  [
    { metrics: [{ name: 'Wifi/Psk', type: 'String', value: 'hidden-1' }] },
    { metrics: [{ name: 'Wifi/Psk', type: 'String', value: '***' }] },
  ],
  [
    {
      connectionData: {
        apn: { apn: 'net', apnPassword: 'hidden-1', simPin: '1' },
        vpn: { server: 's', user: 'u', password: 'p', key: 'k' },
      },
    },
    {
      connectionData: {
        apn: { apn: 'net', apnPassword: '***', simPin: '***' },
        vpn: { server: 's', user: 'u', password: '***', key: '***' },
      },
    },
  ],
  [{ data: '{"wifiPsk":"hidden-1","ssid":"net"}' }, { data: '{"wifiPsk":"***","ssid":"net"}' }],
])('%j is shown as %j', (message, expected) => {
  expect(withoutSecrets(message)).toEqual(expected);
});

test.each([
  ['a number is masked, too', { key: 'SimPin', value: 1234 }, { key: 'SimPin', value: '***' }],
  ['an empty value stays empty', { key: 'SimPin', value: '' }, { key: 'SimPin', value: '' }],
  ['other values are unchanged', { key: 'SimPin', value: null }, { key: 'SimPin', value: null }],
  ['Sparkplug as text', { name: 'Wifi/Psk', stringValue: 'x' }, { name: 'Wifi/Psk', stringValue: '***' }],
  ['Sparkplug in Protocol Buffers', { name: 'Wifi/Psk', string_value: 'x' }, { name: 'Wifi/Psk', string_value: '***' }],
  ...(['intValue', 'longValue', 'floatValue', 'doubleValue', 'booleanValue'] as const).map(
    (field): [string, object, object] => [
      `Sparkplug as ${field}`,
      { name: 'Wifi/Psk', [field]: field === 'booleanValue' ? true : 1 },
      { name: 'Wifi/Psk', [field]: '***' },
    ],
  ),
  ['a name without a value', { name: 'WifiPsk', info: 'x' }, { name: 'WifiPsk', info: 'x' }],
  ['an attribute without a value', attribute({ type: 'Actual' }), attribute({ type: 'Actual' })],
  ['JSON in a list of texts', ['{"wifiPsk":"x"}', 'y'], ['{"wifiPsk":"***"}', 'y']],
  ['JSON after blanks', { data: '  [{"key":"WifiPsk","value":"x"}]' }, { data: '[{"key":"WifiPsk","value":"***"}]' }],
  ['text that only looks like JSON', { data: '{"wifiPsk": broken' }, { data: '{"wifiPsk": broken' }],
  ['JSON in the middle of a text', { data: 'see {"wifiPsk":"x"}' }, { data: 'see {"wifiPsk":"x"}' }],
  ['JSON with a secret name and no value', { data: '{ "password": "" }' }, { data: '{ "password": "" }' }],
  ['the key of something else than a VPN', { server: 's', key: 'k' }, { server: 's', key: 'k' }],
  ['the key of something else than a server', { user: 'u', key: 'k' }, { user: 'u', key: 'k' }],
])('%s', (_, message, expected) => {
  expect(withoutSecrets(message)).toEqual(expected);
});

function attribute(one: object) {
  return { variable: { name: 'WifiPsk' }, variableAttribute: [one] };
}

test('a value without secrets stays the same object', () => {
  const message = { idToken: { idToken: 'CARD', type: 'ISO14443' }, key: ['HeartbeatInterval'], data: '{"a":1}' };
  expect(withoutSecrets(message)).toBe(message);
  expect(mayContainSecrets(JSON.stringify([2, '1', 'TransactionEvent', { idToken: message.idToken }]))).toBe(false);
});

const marked = secretKeys([
  { key: 'DoorCode', secret: true },
  { key: 'Door(main)@1.2.Lever', secret: true },
  { key: 'Open', secret: false },
]);

test('a parameter is secret if the model says so, whatever its name', () => {
  expect(isSecretParameter('doorcode', marked)).toBe(true);
  expect(isSecretParameter('Door(main)@1.2.Lever', marked)).toBe(true);
  expect(isSecretParameter('Open', marked)).toBe(false);
  expect(isSecretParameter('DoorCode')).toBe(false);
  expect(secretKeys([{ key: 'Open' }])).toBeNull();
});

test.each([
  [
    { key: 'DoorCode', value: '4711' },
    { key: 'DoorCode', value: '***' },
  ],
  [
    { name: 'Settings/DoorCode', intValue: 4711 },
    { name: 'Settings/DoorCode', intValue: '***' },
  ],
  [
    { component: { name: 'Door', evse: { id: 1 } }, variable: { name: 'Lever' }, attributeValue: '4711' },
    { component: { name: 'Door', evse: { id: 1 } }, variable: { name: 'Lever' }, attributeValue: '***' },
  ],
  [{ parameters: { DoorCode: 4711, Open: true } }, { parameters: { DoorCode: '***', Open: true } }],
  [{ data: '{"doorCode":4711}' }, { data: '{"doorCode":"***"}' }],
])('with a marked parameter, %j is shown as %j', (message, expected) => {
  expect(mayContainSecrets(JSON.stringify(message), marked)).toBe(true);
  expect(withoutSecrets(message, marked)).toEqual(expected);
  expect(withoutSecrets(message)).toBe(message);
});

test('a component with another name is not masked', () => {
  const other = { component: { name: 'Gate' }, variable: { name: 'Lever' }, attributeValue: '1' };
  expect(withoutSecrets(other, marked)).toBe(other);
});

test('a frame that was cut when it was stored is not shown if it contains a marked parameter', () => {
  const cut = (key: string) =>
    `[3,"1",{"configurationKey":[{"key":"${key}","value":"4711"},`.padEnd(STORED_CHARACTERS, 'x');
  expect(frameWithoutSecrets(cut('DoorCode'), marked)).toBe('(not shown, as it was cut and may hold a secret)');
  expect(frameWithoutSecrets(cut('Other'), marked)).toBe(cut('Other'));
  expect(frameWithoutSecrets(cut('DoorCode'), null)).toBe(cut('DoorCode'));
});

test.each<[string, string | null, string | null]>([
  ['no text', null, null],
  ['a frame without secrets is unchanged, with its blanks', '[2, "1", "Heartbeat", {}]', '[2, "1", "Heartbeat", {}]'],
  ['a frame that only may contain secrets is unchanged', '[3, "1", {"key": "A"}]', '[3, "1", {"key": "A"}]'],
  [
    'a secret is masked',
    '[2, "1", "ChangeConfiguration", {"key":"WifiPsk","value":"hidden"}]',
    '[2,"1","ChangeConfiguration",{"key":"WifiPsk","value":"***"}]',
  ],
  ['a text that is not JSON is unchanged', '{"WifiPsk": hidden', '{"WifiPsk": hidden'],
  ['a short text that is not JSON is unchanged', '{"DoorCode": 4711', '{"DoorCode": 4711'],
  [
    'a frame with too many values is not kept',
    `["WifiPsk"${',1'.repeat(60_001)}]`,
    '(not kept, as it may hold a secret: more than 60000 values)',
  ],
  [
    'a frame that is nested too deep is not kept',
    `["WifiPsk",${'['.repeat(40)}${']'.repeat(40)}]`,
    '(not kept, as it may hold a secret: nested deeper than 32 levels)',
  ],
])('in the protocol log, %s', (_, body, expected) => {
  expect(frameWithoutSecrets(body, marked)).toBe(expected);
});

test('a frame counts as cut from one character below the stored length', () => {
  const cut = (length: number) => '[{"key":"DoorCode","value":"4711"'.padEnd(length, 'x');
  expect(frameWithoutSecrets(cut(STORED_CHARACTERS - 1), marked)).toContain('not shown');
  expect(frameWithoutSecrets(cut(STORED_CHARACTERS - 2), marked)).toBe(cut(STORED_CHARACTERS - 2));
});
