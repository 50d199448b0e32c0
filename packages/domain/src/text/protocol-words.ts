import type { Bilingual } from '../models/device-models.ts';

type Words = Readonly<Record<string, readonly [en: string, zh: string]>>;

const WORDS = {
  /** why a session ended: Reason (OCPP 1.6 §7.36) and ReasonEnumType (OCPP 2.0.1 §3.71, 2.1) */
  stopReason: {
    CostLimitReached: ['Cost limit reached', '达到费用上限'],
    DeAuthorized: ['Authorization withdrawn', '授权被撤销'],
    EmergencyStop: ['Emergency stop', '急停'],
    EnergyLimitReached: ['Energy limit reached', '达到电量上限'],
    EVDisconnected: ['Vehicle disconnected', '车辆已断开'],
    GroundFault: ['Ground fault', '接地故障'],
    HardReset: ['Hard reset', '硬重启'],
    ImmediateReset: ['Immediate reset', '立即重启'],
    Local: ['Stopped at the device', '在设备上停止'],
    LocalOutOfCredit: ['Out of credit', '余额不足'],
    MasterPass: ['Master pass', '主卡停止'],
    Other: ['Other reason', '其他原因'],
    OvercurrentFault: ['Overcurrent', '过流故障'],
    PowerLoss: ['Power loss', '断电'],
    PowerQuality: ['Poor power quality', '电能质量差'],
    Reboot: ['Restart', '设备重启'],
    Remote: ['Stopped remotely', '远程停止'],
    ReqEnergyTransferRejected: ['Energy transfer rejected', '拒绝所请求的能量传输方式'],
    SoftReset: ['Soft reset', '软重启'],
    SOCLimitReached: ['State of charge limit reached', '达到 SOC 上限'],
    StoppedByEV: ['Stopped by the vehicle', '车辆停止充电'],
    TimeLimitReached: ['Time limit reached', '达到时长上限'],
    Timeout: ['No vehicle connected in time', '超时未插枪'],
    UnlockCommand: ['Connector unlocked', '解锁枪锁'],
  },
  /** state of a firmware update: FirmwareStatus (OCPP 1.6 §7.25) and FirmwareStatusEnumType (OCPP 2.0.1 §3.36) */
  firmwareStatus: {
    Downloaded: ['Downloaded', '已下载'],
    DownloadFailed: ['Download failed', '下载失败'],
    Downloading: ['Downloading', '下载中'],
    DownloadPaused: ['Download paused', '下载已暂停'],
    DownloadScheduled: ['Download scheduled', '已计划下载'],
    Idle: ['Idle', '空闲'],
    InstallationFailed: ['Installation failed', '安装失败'],
    Installed: ['Installed', '已安装'],
    Installing: ['Installing', '安装中'],
    InstallRebooting: ['Restarting to install', '重启以安装'],
    InstallScheduled: ['Installation scheduled', '已计划安装'],
    InstallVerificationFailed: ['Verification failed', '校验失败'],
    InvalidSignature: ['Invalid signature', '签名无效'],
    SignatureVerified: ['Signature verified', '签名已验证'],
  },
  /** state of a log upload: DiagnosticsStatus (OCPP 1.6 §7.24) and UploadLogStatusEnumType (OCPP 2.0.1 §3.88) */
  uploadStatus: {
    AcceptedCanceled: ['Replaced by a newer request', '被新请求取代'],
    BadMessage: ['Invalid request', '请求无效'],
    Idle: ['Idle', '空闲'],
    NotSupportedOperation: ['Not supported', '不支持'],
    PermissionDenied: ['Permission denied', '权限被拒绝'],
    Uploaded: ['Uploaded', '已上传'],
    UploadFailed: ['Upload failed', '上传失败'],
    UploadFailure: ['Upload failed', '上传失败'],
    Uploading: ['Uploading', '上传中'],
  },
  /** where a value was measured: Location (OCPP 1.6 §7.30) and LocationEnumType (OCPP 2.0.1 §3.46) */
  location: {
    Body: ['in the housing', '机身'],
    Cable: ['at the cable', '电缆'],
    EV: ['in the vehicle', '车辆'],
    Inlet: ['at the inlet', '进线侧'],
    Outlet: ['at the outlet', '输出侧'],
    Upstream: ['upstream', '上游'],
  },
} as const satisfies Record<string, Words>;

/** The kinds of OCPP enumerations whose values devices report. */
export type ProtocolWordKind = keyof typeof WORDS;

/** The name of a reported value in both languages; the value itself if it is unknown. */
export function protocolWord(kind: ProtocolWordKind, value: string): Bilingual {
  const words: Words = WORDS[kind];
  const [en, zh] = (Object.hasOwn(words, value) && words[value]) || [value, value];
  return { en, zh };
}

/** The part of a quantity, such as a phase (`L1`), a location (`Body`) or both (`L1@Body`), in both languages. */
export function variantNames(variant: string): Bilingual {
  const parts = variant.split('@').map((part) => protocolWord('location', part));
  return { en: parts.map(({ en }) => en).join(' '), zh: parts.map(({ zh }) => zh).join(' ') };
}
