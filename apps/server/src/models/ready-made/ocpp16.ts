import { PILE_CONTROLS, shipped, type Table, YES_NO } from './parts.ts';

/**
 * The quantities of OCPP 1.6 §7.31 (Measurand), with the keys and units in which readings are stored. The device
 * appends a phase or a location to the key.
 */
export const MEASURANDS: Table = {
  group: 'metering',
  rows: [
    ['Power.Active.Import', 'Active power', '有功功率', 'float', '', 'W'],
    ['Energy.Active.Import.Register', 'Energy meter', '电能表读数', 'float', '', 'Wh'],
    ['Energy.Active.Import.Interval', 'Energy per interval', '区间电量', 'float', '', 'Wh'],
    ['Voltage', 'Voltage', '电压', 'float', '0~2000|1', 'V'],
    ['Current.Import', 'Current', '电流', 'float', '0~1000|2', 'A'],
    ['Current.Offered', 'Offered current', '最大可用电流', 'float', '0~1000|2', 'A'],
    ['Power.Offered', 'Offered power', '最大可用功率', 'float', '', 'W'],
    ['Power.Factor', 'Power factor', '功率因数', 'float', '-1~1|3'],
    ['Power.Reactive.Import', 'Reactive power', '无功功率', 'float', '', 'var'],
    ['Energy.Reactive.Import.Register', 'Reactive energy meter', '无功电能表读数', 'float', '', 'varh'],
    ['Frequency', 'Frequency', '频率', 'float', '40~70|2', 'Hz'],
    ['SoC', 'Vehicle state of charge', '车辆荷电状态', 'float', '0~100|1', '%'],
    ['Temperature', 'Temperature', '温度', 'float', '-60~200|1', '°C'],
    ['RPM', 'Fan speed', '风扇转速', 'float', '0~100000|0', 'rpm'],
    ['Power.Active.Export', 'Active power exported', '反送有功功率', 'float', '', 'W'],
    ['Energy.Active.Export.Register', 'Energy meter, exported', '反送电能表读数', 'float', '', 'Wh'],
    ['Energy.Active.Export.Interval', 'Energy exported per interval', '区间反送电量', 'float', '', 'Wh'],
    ['Current.Export', 'Current exported', '反送电流', 'float', '0~1000|2', 'A'],
    ['Power.Reactive.Export', 'Reactive power exported', '反送无功功率', 'float', '', 'var'],
    ['Energy.Reactive.Export.Register', 'Reactive energy meter, exported', '反送无功电能表读数', 'float', '', 'varh'],
    ['Energy.Reactive.Import.Interval', 'Reactive energy per interval', '区间无功电量', 'float', '', 'varh'],
    [
      'Energy.Reactive.Export.Interval',
      'Reactive energy exported per interval',
      '区间反送无功电量',
      'float',
      '',
      'varh',
    ],
  ],
};

/** The read-only configuration keys of OCPP 1.6 §9 and of its security whitepaper (edition 2). */
const KEYS_READ: readonly Table[] = [
  {
    group: 'identity',
    rows: [
      ['NumberOfConnectors', 'Number of connectors', '枪数', 'int', '0~100'],
      ['SupportedFeatureProfiles', 'Supported feature profiles', '支持的功能集', 'text', '0~500'],
      [
        'SupportedFeatureProfilesMaxLength',
        'Supported feature profiles, max length',
        '功能集数量上限',
        'int',
        '0~1000',
      ],
      ['SupportedFileTransferProtocols', 'Supported file transfer protocols', '支持的文件传输协议', 'text', '0~500'],
      ['GetConfigurationMaxKeys', 'Maximum keys per GetConfiguration', '单次读取参数数量上限', 'int', '0~10000'],
      ['ReserveConnectorZeroSupported', 'Reserve connector zero supported', '支持整桩预约', 'list', YES_NO],
    ],
  },
  {
    group: 'sampling',
    rows: [
      [
        'MeterValuesAlignedDataMaxLength',
        'Meter values aligned data, max length',
        '对齐采样项数量上限',
        'int',
        '0~1000',
      ],
      ['MeterValuesSampledDataMaxLength', 'Meter values sampled data, max length', '采样项数量上限', 'int', '0~1000'],
      [
        'StopTxnAlignedDataMaxLength',
        'Stop transaction aligned data, max length',
        '结束时对齐采样项数量上限',
        'int',
        '0~1000',
      ],
      [
        'StopTxnSampledDataMaxLength',
        'Stop transaction sampled data, max length',
        '结束时采样项数量上限',
        'int',
        '0~1000',
      ],
    ],
  },
  {
    group: 'authorization',
    rows: [
      ['LocalAuthListMaxLength', 'Local authorization list, max length', '本地名单长度上限', 'int', '0~1000000'],
      ['SendLocalListMaxLength', 'Send local list, max length', '单次下发名单上限', 'int', '0~1000000'],
    ],
  },
  {
    group: 'smartCharging',
    rows: [
      ['ChargeProfileMaxStackLevel', 'Charge profile max stack level', '充电曲线最大层级', 'int', '0~1000'],
      [
        'ChargingScheduleAllowedChargingRateUnit',
        'Charging schedule allowed charging rate units',
        '充电计划单位',
        'text',
        '0~100',
      ],
      ['ChargingScheduleMaxPeriods', 'Charging schedule max periods', '充电计划时段上限', 'int', '0~1000'],
      [
        'ConnectorSwitch3to1PhaseSupported',
        'Connector switch 3 to 1 phase supported',
        '支持三相切单相',
        'list',
        YES_NO,
      ],
      ['MaxChargingProfilesInstalled', 'Max charging profiles installed', '充电曲线数量上限', 'int', '0~1000'],
      ['ConnectorPhaseRotationMaxLength', 'Connector phase rotation, max length', '相序配置长度上限', 'int', '0~1000'],
    ],
  },
  {
    group: 'security',
    readLevel: 4,
    rows: [
      ['AdditionalRootCertificateCheck', 'Additional root certificate check', '校验附加根证书', 'list', YES_NO],
      ['CertificateSignedMaxChainSize', 'Certificate signed, max chain size', '证书链长度上限', 'int', '0~10000', 'B'],
      ['CertificateStoreMaxLength', 'Certificate store max length', '证书数量上限', 'int', '0~1000'],
    ],
  },
];

/**
 * The writable configuration keys of OCPP 1.6 §9. `AuthorizationKey` is not a parameter: it is the gateway password.
 */
const KEYS_SET: readonly Table[] = [
  {
    group: 'charging',
    rows: [
      ['ConnectionTimeOut', 'Connection timeout', '插枪超时', 'int', '0~3600', 's'],
      [
        'StopTransactionOnEVSideDisconnect',
        'Stop transaction on EV side disconnect',
        '车端拔枪时结束充电',
        'list',
        YES_NO,
      ],
      ['UnlockConnectorOnEVSideDisconnect', 'Unlock connector on EV side disconnect', '车端拔枪时解锁', 'list', YES_NO],
      ['StopTransactionOnInvalidId', 'Stop transaction on invalid ID', '鉴权失败时结束充电', 'list', YES_NO],
      ['MaxEnergyOnInvalidId', 'Maximum energy for an invalid ID', '鉴权失败后最大电量', 'int', '0~100000', 'Wh'],
      ['TransactionMessageAttempts', 'Retry attempts for transaction messages', '交易报文重试次数', 'int', '0~100'],
      [
        'TransactionMessageRetryInterval',
        'Retry interval for transaction messages',
        '交易报文重试间隔',
        'int',
        '0~86400',
        's',
      ],
      ['ResetRetries', 'Reset retries', '重启重试次数', 'int', '0~100'],
      ['LightIntensity', 'Light intensity', '指示灯亮度', 'int', '0~100', '%'],
      ['BlinkRepeat', 'Blink repeat', '指示灯闪烁次数', 'int', '0~100'],
    ],
  },
  {
    group: 'authorization',
    rows: [
      ['AuthorizeRemoteTxRequests', 'Authorize remote transaction requests', '远程启动需鉴权', 'list', YES_NO],
      ['AuthorizationCacheEnabled', 'Authorization cache enabled', '启用鉴权缓存', 'list', YES_NO],
      ['LocalAuthListEnabled', 'Local authorization list enabled', '启用本地名单', 'list', YES_NO],
      ['LocalAuthorizeOffline', 'Local authorization when offline', '离线时本地鉴权', 'list', YES_NO],
      ['LocalPreAuthorize', 'Local pre-authorization', '本地预鉴权', 'list', YES_NO],
      ['AllowOfflineTxForUnknownId', 'Allow offline transactions for unknown IDs', '离线时允许未知 ID', 'list', YES_NO],
    ],
  },
  {
    group: 'communication',
    rows: [
      ['HeartbeatInterval', 'Heartbeat interval', '心跳间隔', 'int', '10~86400', 's'],
      ['WebSocketPingInterval', 'WebSocket ping interval', 'WebSocket 心跳间隔', 'int', '0~86400', 's'],
      ['MinimumStatusDuration', 'Minimum status duration', '状态最短持续时长', 'int', '0~3600', 's'],
    ],
  },
  {
    group: 'sampling',
    rows: [
      ['MeterValueSampleInterval', 'Meter value sample interval', '采样间隔', 'int', '0~86400', 's'],
      ['ClockAlignedDataInterval', 'Clock-aligned data interval', '对齐采样间隔', 'int', '0~86400', 's'],
      ['MeterValuesSampledData', 'Sampled measurands', '采样项', 'text', '0~500'],
      ['MeterValuesAlignedData', 'Clock-aligned measurands', '对齐采样项', 'text', '0~500'],
      ['StopTxnSampledData', 'Sampled measurands at transaction end', '结束时采样项', 'text', '0~500'],
      ['StopTxnAlignedData', 'Clock-aligned measurands at transaction end', '结束时对齐采样项', 'text', '0~500'],
    ],
  },
  {
    group: 'smartCharging',
    batch: false,
    rows: [['ConnectorPhaseRotation', 'Connector phase rotation', '相序', 'text', '0~500']],
  },
  {
    group: 'security',
    writeLevel: 2,
    batch: false,
    rows: [
      ['CpoName', 'CPO name', '运营商名称', 'text', '1~255'],
      [
        'SecurityProfile',
        'Security profile',
        '安全等级',
        'list',
        'None / 无|0|number\nBasic / 基本认证|1|number\nTLS|2|number\nMutual TLS / 双向 TLS|3|number',
      ],
    ],
  },
];

export const OCPP16_PILE = shipped({
  model: {
    ...{ name: 'Generic OCPP 1.6 pile', type: 1, parent: null, vendor: 'Generic' },
    ...{ sshSupport: false, webSupport: false, tolerant: false, protocol: 'ocpp16' },
  },
  configs: [MEASURANDS, ...KEYS_READ],
  parameters: KEYS_SET,
  controls: PILE_CONTROLS,
});

/** For charge points that deviate from the schemas of the specification: the same model in tolerant mode. */
export const OFF_SPEC_PILE = shipped({
  model: {
    ...{ name: 'Off-spec OCPP 1.6 pile', type: 1, parent: OCPP16_PILE.model.name, vendor: 'Generic' },
    ...{ sshSupport: false, webSupport: false, tolerant: true, protocol: 'ocpp16' },
  },
  configs: [],
  parameters: [],
  controls: [],
});
