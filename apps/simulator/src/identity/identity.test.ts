import { describe, expect, test } from 'vitest';
import { Random } from '../behaviour/random.ts';
import { drawIdentity, nextFirmwareVersion } from './identity.ts';

describe('nextFirmwareVersion', () => {
  test.each([
    ['1.9.0', 'ftp://files.example/hs-2.7.1.bin', '2.7.1'],
    ['1.9.0', 'https://files.example/3.3.4/firmware.bin', '1.9.1'],
    ['1.9.0', 'https://files.example/fw_10.2.zip?token=4.5.6', '10.2'],
    ['1.9.9', 'ftp://10.0.0.1/firmware.bin', '1.9.10'],
  ])('the version after %s with %s is %s', (present, location, next) => {
    expect(nextFirmwareVersion(present, location)).toBe(next);
  });
});

describe('drawIdentity', () => {
  test('respects the maximum lengths of BootNotification', () => {
    for (let i = 0; i < 200; i++) {
      const { vendor, model, iccid, meterSerialNumber } = drawIdentity('SIM00001', new Random(i));
      expect(Math.max(vendor.length, model.length, iccid.length)).toBeLessThanOrEqual(20);
      expect(meterSerialNumber.length).toBeLessThanOrEqual(25);
    }
  });

  test('has the requested number of connectors', () => {
    expect(drawIdentity('SIM00001', new Random(1), 4).outlets).toHaveLength(4);
  });
});
