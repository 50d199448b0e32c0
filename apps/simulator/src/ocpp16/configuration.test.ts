import { describe, expect, test } from 'vitest';
import { Configuration } from './configuration.ts';

describe('Configuration', () => {
  test.each([
    ['HeartbeatInterval', '120', 'Accepted'],
    ['HeartbeatInterval', '0', 'Rejected'],
    ['HeartbeatInterval', '1.5', 'Rejected'],
    ['HeartbeatInterval', '-5', 'Rejected'],
    ['HeartbeatInterval', '', 'Rejected'],
    ['MeterValueSampleInterval', '0', 'Accepted'],
    ['AuthorizeRemoteTxRequests', 'true', 'Accepted'],
    ['AuthorizeRemoteTxRequests', 'yes', 'Rejected'],
    ['MeterValuesSampledData', 'SoC,Voltage', 'Accepted'],
    ['MeterValuesSampledData', 'SoC,Weather', 'Rejected'],
    ['DisplayLanguage', 'zh', 'Accepted'],
    ['DisplayLanguage', 'tlh', 'Rejected'],
    ['NumberOfConnectors', '3', 'Rejected'],
    ['MobileNetworkApn', 'fleet.example', 'RebootRequired'],
    ['AuthorizationKey', '0123456789abcdef0123', 'RebootRequired'],
    ['AuthorizationKey', 'short', 'Rejected'],
    ['NoSuchKey', '1', 'NotSupported'],
  ])('changing %s to %s is %s', (key, value, status) => {
    expect(new Configuration().change(key, value)).toBe(status);
  });

  test('stores an accepted value but not a rejected one', () => {
    const configuration = new Configuration();
    configuration.change('LedBrightness', '35');
    configuration.change('LedBrightness', '101');
    expect(configuration.read(['LedBrightness']).configurationKey).toEqual([
      { key: 'LedBrightness', readonly: false, value: '35' },
    ]);
  });

  test('reads all keys when the request names none', () => {
    const { configurationKey, unknownKey } = new Configuration().read([]);
    expect(configurationKey.length).toBeGreaterThan(30);
    expect(unknownKey).toEqual([]);
  });

  test('lists unknown keys separately, marks read-only ones, and never returns a write-only value', () => {
    const configuration = new Configuration({ NumberOfConnectors: 2 });
    configuration.change('AuthorizationKey', '0123456789abcdef0123');
    expect(configuration.read(['NoSuchKey', 'NumberOfConnectors', 'AuthorizationKey'])).toEqual({
      configurationKey: [
        { key: 'NumberOfConnectors', readonly: true, value: '2' },
        { key: 'AuthorizationKey', readonly: false },
      ],
      unknownKey: ['NoSuchKey'],
    });
  });

  test('belongs to a single charge point', () => {
    new Configuration().change('LedBrightness', '1');
    expect(new Configuration().get('LedBrightness')).toBe('80');
  });
});
