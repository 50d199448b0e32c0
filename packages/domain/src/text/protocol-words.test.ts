import { expect, test } from 'vitest';
import { type ProtocolWordKind, protocolWord, variantNames } from './protocol-words.ts';

test.each<[ProtocolWordKind, string, string, string]>([
  ['stopReason', 'EVDisconnected', 'Vehicle disconnected', '车辆已断开'],
  ['uploadStatus', 'Uploaded', 'Uploaded', '已上传'],
  ['firmwareStatus', 'Installing', 'Installing', '安装中'],
  ['location', 'Body', 'in the housing', '机身'],
  ['stopReason', 'VendorReason', 'VendorReason', 'VendorReason'],
  ['stopReason', 'constructor', 'constructor', 'constructor'],
  ['location', 'L1', 'L1', 'L1'],
])('%s %s has the names %s, %s', (kind, value, en, zh) => {
  expect(protocolWord(kind, value)).toEqual({ en, zh });
});

test.each([
  ['', '', ''],
  ['L1', 'L1', 'L1'],
  ['Body', 'in the housing', '机身'],
  ['L1@Inlet', 'L1 at the inlet', 'L1 进线侧'],
])('the part %j of a quantity has the names %j, %j', (variant, en, zh) => {
  expect(variantNames(variant)).toEqual({ en, zh });
});
