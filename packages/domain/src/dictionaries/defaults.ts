import type { IssueCauseWord, IssueRemedyWord } from '../issues/issues.ts';

interface Names {
  en: string;
  zh: string;
}

/** The shipped names of alarm codes: OCPP 1.6 §7.6, OCPP 2.0.1 part 2 appendix 1, and what the product itself raises. */
const ALARM_NAMES: Readonly<Record<string, Names>> = {
  AttemptedReplayAttacks: { en: 'Replayed messages received', zh: '收到重放报文' },
  ConnectorFault: { en: 'Connector out of order', zh: '枪故障' },
  ConnectorLockFailure: { en: 'Connector lock failure', zh: '枪锁故障' },
  CsmsFailedToAuthenticate: { en: 'Platform authentication failed', zh: '平台身份验证失败' },
  EVCommunicationError: { en: 'Communication with the vehicle failed', zh: '与车辆通信异常' },
  FailedToAuthenticateAtCsms: { en: 'Device authentication failed', zh: '设备登录平台失败' },
  GroundFailure: { en: 'Ground fault protection tripped', zh: '接地故障' },
  HighTemperature: { en: 'Temperature too high', zh: '温度过高' },
  InternalError: { en: 'Internal hardware or software error', zh: '内部软硬件错误' },
  InvalidChargingStationCertificate: { en: 'Device certificate invalid', zh: '设备证书无效' },
  InvalidCsmsCertificate: { en: 'Platform certificate invalid', zh: '平台证书无效' },
  InvalidFirmwareSignature: { en: 'Firmware signature invalid', zh: '固件签名无效' },
  InvalidFirmwareSigningCertificate: {
    en: 'Firmware signing certificate invalid',
    zh: '固件签名证书无效',
  },
  InvalidMessages: { en: 'Invalid messages received', zh: '收到无效报文' },
  InvalidTLSCipherSuite: { en: 'Cipher suite not accepted', zh: 'TLS 加密套件不受支持' },
  InvalidTLSVersion: { en: 'TLS version not accepted', zh: 'TLS 版本不受支持' },
  LocalListConflict: { en: 'Local authorization list conflict', zh: '本地鉴权列表冲突' },
  MaintenanceLoginFailed: { en: 'Maintenance sign-in failed', zh: '维护登录失败' },
  MemoryExhaustion: { en: 'Out of memory', zh: '内存耗尽' },
  NoError: { en: 'Fault without an error code', zh: '未注明错误码的故障' },
  Offline: { en: 'Device offline', zh: '设备离线' },
  OtherError: { en: 'Other error', zh: '其他错误' },
  OverCurrentFailure: { en: 'Over-current protection tripped', zh: '过流保护动作' },
  OverVoltage: { en: 'Voltage too high', zh: '过压' },
  PowerMeterFailure: { en: 'Power meter failure', zh: '电表故障' },
  PowerSwitchFailure: { en: 'Power switch failure', zh: '电源开关故障' },
  ReaderFailure: { en: 'Card reader failure', zh: '读卡器故障' },
  ReconfigurationOfSecurityParameters: { en: 'Security settings changed', zh: '安全参数被修改' },
  ResetFailure: { en: 'Reset failed', zh: '重启失败' },
  SecurityLogWasCleared: { en: 'Security log cleared', zh: '安全日志被清空' },
  StatusRejected: { en: 'Device status reports rejected', zh: '设备的状态上报被拒收' },
  TamperDetectionActivated: { en: 'Tampering detected', zh: '检测到设备被撬动' },
  Unavailable: { en: 'Out of service', zh: '停止服务' },
  UnderVoltage: { en: 'Voltage too low', zh: '欠压' },
  WeakSignal: { en: 'Weak wireless signal', zh: '无线信号弱' },
};

const CAUSES: Readonly<Record<IssueCauseWord, Names>> = {
  hardware: { en: 'Hardware', zh: '硬件' },
  wear: { en: 'Wear', zh: '磨损老化' },
  software: { en: 'Software', zh: '软件' },
  configuration: { en: 'Configuration', zh: '配置' },
  network: { en: 'Network', zh: '网络' },
  power: { en: 'Power supply', zh: '供电' },
  installation: { en: 'Installation', zh: '安装' },
  vehicle: { en: 'Vehicle', zh: '车辆' },
  misuse: { en: 'Wrong use', zh: '使用不当' },
  damage: { en: 'Damage from outside', zh: '外力损坏' },
  noFault: { en: 'No fault found', zh: '未发现故障' },
  unknown: { en: 'Unknown', zh: '未知' },
  other: { en: 'Other', zh: '其他' },
};

const REMEDIES: Readonly<Record<IssueRemedyWord, Names>> = {
  replaced: { en: 'Part replaced', zh: '更换部件' },
  repaired: { en: 'Repaired', zh: '维修' },
  restarted: { en: 'Restarted', zh: '重启' },
  updated: { en: 'Firmware updated', zh: '升级固件' },
  reconfigured: { en: 'Parameters changed', zh: '修改参数' },
  cleaned: { en: 'Cleaned', zh: '清洁' },
  instructed: { en: 'User instructed', zh: '指导用户' },
  recovered: { en: 'Recovered by itself', zh: '自行恢复' },
  none: { en: 'Nothing', zh: '未处理' },
  other: { en: 'Other', zh: '其他' },
};

const LABELS: Readonly<Record<string, Names>> = {
  safety: { en: 'Safety', zh: '安全隐患' },
  recurring: { en: 'Recurring', zh: '反复出现' },
  onSite: { en: 'On site', zh: '现场' },
  spareParts: { en: 'Spare parts', zh: '备件' },
  warranty: { en: 'Warranty', zh: '质保' },
  powerCut: { en: 'Power cut', zh: '停电' },
};

/**
 * The names that the product has without a change of the installation, by dictionary and code, in their order. Those of
 * regions are large tables, which only the server has.
 */
export const DICTIONARY_DEFAULTS: Readonly<
  Record<'alarmNames' | 'causes' | 'remedies' | 'labels' | 'regions', Readonly<Record<string, Names>>>
> = { alarmNames: ALARM_NAMES, causes: CAUSES, remedies: REMEDIES, labels: LABELS, regions: {} };
