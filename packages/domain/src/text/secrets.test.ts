import { expect, test } from 'vitest';
import { isSecretParameter, maySpeakOfSecrets, withoutSecrets } from './secrets.ts';

test.each([
  ...['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword', 'WifiPsk', 'wifi_psk', 'WIFI-PSK', 'WIFIPSK', 'PSK'],
  ...['ApiToken', 'api_token', 'AccessTokens', 'ApiKey', 'apikey', 'WifiPass', 'wifiPassword', 'FTPPasswd', 'SimPin'],
  ...['PrivateKey', 'private_key', 'SharedKey', 'ClientSecret', 'MqttCredentials', 'NetworkCtrlr.WpaKey', 'adminPwd'],
  ...['apnPassword', 'EncryptionKey', 'WiFi.Passphrase', 'UnlockPasscode'],
])('%s is a secret', (key) => {
  expect(isSecretParameter(key)).toBe(true);
  expect(maySpeakOfSecrets(`{"key":"${key}"}`)).toBe(true);
});

test.each([
  ...['HeartbeatInterval', 'AuthorizeRemoteTxRequests', 'AuthorizationCacheEnabled', 'GetConfigurationMaxKeys'],
  ...['TokenReader.Enabled', 'IdToken', 'SupportedTokens', 'AuthCtrlr.MasterPassGroupId', 'PinCount', 'PublicKey'],
  ...['PublicKeyWithSignedMeterValue', 'MonkeyMode', 'Keyboard', 'ConnectorPhaseRotation', 'ShippingDate', 'Bypass'],
])('%s is none', (key) => {
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

test('what holds no secret stays the same object', () => {
  const message = { idToken: { idToken: 'CARD', type: 'ISO14443' }, key: ['HeartbeatInterval'], data: '{"a":1}' };
  expect(withoutSecrets(message)).toBe(message);
  expect(maySpeakOfSecrets(JSON.stringify([2, '1', 'TransactionEvent', { idToken: message.idToken }]))).toBe(false);
});
