import { MEASURANDS } from './ocpp16.ts';
import { PILE_CONTROLS, shipped, type Table, YES_NO } from './parts.ts';

/** Read-only variables of OCPP 2.0.1 part 2, appendix 3, as `Component.Variable`. */
const VARIABLES_READ: readonly Table[] = [
  {
    group: 'identity',
    rows: [
      ['ChargingStation.Model', 'Model', '型号', 'text', '0~50'],
      ['ChargingStation.VendorName', 'Vendor', '厂商', 'text', '0~50'],
      ['ChargingStation.SerialNumber', 'Serial number', '序列号', 'text', '0~50'],
      ['ChargingStation.FirmwareVersion', 'Firmware version', '固件版本', 'text', '0~50'],
      ['ChargingStation.AvailabilityState', 'Availability state', '可用状态', 'text', '0~50'],
      ['ChargingStation.SupplyPhases', 'Supply phases', '供电相数', 'int', '0~3'],
      ['EVSE.Power', 'Maximum power of the EVSE', 'EVSE 最大功率', 'float', '', 'W'],
      ['Connector.ConnectorType', 'Connector type', '枪类型', 'text', '0~50'],
      ['DeviceDataCtrlr.ItemsPerMessage', 'Items per message', '单条消息最大项数', 'int', '0~10000'],
      ['DeviceDataCtrlr.BytesPerMessage', 'Bytes per message', '单条消息最大字节数', 'int', '0~1000000', 'B'],
    ],
  },
  {
    group: 'smartCharging',
    rows: [
      ['SmartChargingCtrlr.ProfileStackLevel', 'Profile stack level', '充电曲线最大层级', 'int', '0~1000'],
      ['SmartChargingCtrlr.RateUnit', 'Charging rate units', '充电计划单位', 'text', '0~100'],
      ['SmartChargingCtrlr.PeriodsPerSchedule', 'Periods per schedule', '充电计划时段上限', 'int', '0~1000'],
      ['SmartChargingCtrlr.Entries', 'Installed charging profiles', '充电曲线数量', 'int', '0~1000'],
    ],
  },
  {
    group: 'security',
    readLevel: 4,
    rows: [
      ['SecurityCtrlr.CertificateEntries', 'Installed certificates', '证书数量', 'int', '0~1000'],
      ['SecurityCtrlr.SecurityProfile', 'Security profile', '安全等级', 'int', '0~3'],
      ['SecurityCtrlr.Identity', 'Identity', '标识', 'text', '0~48'],
    ],
  },
];

/**
 * Writable variables of OCPP 2.0.1. `SecurityCtrlr.BasicAuthPassword` is not a parameter: it is the gateway password.
 */
const VARIABLES_SET: readonly Table[] = [
  {
    group: 'charging',
    rows: [
      ['TxCtrlr.EVConnectionTimeOut', 'EV connection timeout', '插枪超时', 'int', '0~3600', 's'],
      [
        'TxCtrlr.StopTxOnEVSideDisconnect',
        'Stop transaction on EV side disconnect',
        '车端拔枪时结束充电',
        'list',
        YES_NO,
      ],
      ['TxCtrlr.StopTxOnInvalidId', 'Stop transaction on invalid ID', '鉴权失败时结束充电', 'list', YES_NO],
      [
        'TxCtrlr.MaxEnergyOnInvalidId',
        'Maximum energy for an invalid ID',
        '鉴权失败后最大电量',
        'int',
        '0~100000',
        'Wh',
      ],
      ['TxCtrlr.TxStartPoint', 'Transaction start point', '交易开始点', 'text', '0~200'],
      ['TxCtrlr.TxStopPoint', 'Transaction stop point', '交易结束点', 'text', '0~200'],
    ],
  },
  {
    group: 'authorization',
    rows: [
      ['AuthCtrlr.Enabled', 'Authorization enabled', '启用鉴权', 'list', YES_NO],
      ['AuthCtrlr.AuthorizeRemoteStart', 'Authorize remote start', '远程启动需鉴权', 'list', YES_NO],
      ['AuthCtrlr.LocalAuthorizeOffline', 'Local authorization when offline', '离线时本地鉴权', 'list', YES_NO],
      ['AuthCtrlr.LocalPreAuthorize', 'Local pre-authorization', '本地预鉴权', 'list', YES_NO],
      [
        'AuthCtrlr.OfflineTxForUnknownIdEnabled',
        'Allow offline transactions for unknown IDs',
        '离线时允许未知 ID',
        'list',
        YES_NO,
      ],
      ['AuthCacheCtrlr.Enabled', 'Authorization cache enabled', '启用鉴权缓存', 'list', YES_NO],
      ['LocalAuthListCtrlr.Enabled', 'Local authorization list enabled', '启用本地名单', 'list', YES_NO],
    ],
  },
  {
    group: 'communication',
    rows: [
      ['OCPPCommCtrlr.HeartbeatInterval', 'Heartbeat interval', '心跳间隔', 'int', '10~86400', 's'],
      ['OCPPCommCtrlr.WebSocketPingInterval', 'WebSocket ping interval', 'WebSocket 心跳间隔', 'int', '0~86400', 's'],
      ['OCPPCommCtrlr.OfflineThreshold', 'Offline threshold', '离线判定时长', 'int', '0~86400', 's'],
      ['OCPPCommCtrlr.MessageTimeout', 'Message timeout', '报文超时', 'int', '1~600', 's'],
      ['OCPPCommCtrlr.MessageAttempts', 'Retry attempts for transaction messages', '交易报文重试次数', 'int', '0~100'],
      [
        'OCPPCommCtrlr.MessageAttemptInterval',
        'Retry interval for transaction messages',
        '交易报文重试间隔',
        'int',
        '0~86400',
        's',
      ],
      ['OCPPCommCtrlr.ResetRetries', 'Reset retries', '重启重试次数', 'int', '0~100'],
      [
        'OCPPCommCtrlr.RetryBackOffWaitMinimum',
        'Retry back-off minimum wait',
        '重连最短等待时间',
        'int',
        '0~86400',
        's',
      ],
      ['ClockCtrlr.TimeSource', 'Time source', '时钟源', 'text', '0~200'],
      ['ClockCtrlr.TimeZone', 'Time zone', '时区', 'text', '0~50'],
    ],
  },
  {
    group: 'sampling',
    rows: [
      ['SampledDataCtrlr.TxUpdatedInterval', 'Transaction updated interval', '采样间隔', 'int', '0~86400', 's'],
      ['SampledDataCtrlr.TxUpdatedMeasurands', 'Transaction updated measurands', '采样项', 'text', '0~500'],
      ['SampledDataCtrlr.TxEndedMeasurands', 'Transaction ended measurands', '结束时采样项', 'text', '0~500'],
      ['AlignedDataCtrlr.Interval', 'Clock-aligned data interval', '对齐采样间隔', 'int', '0~86400', 's'],
      ['AlignedDataCtrlr.Measurands', 'Clock-aligned measurands', '对齐采样项', 'text', '0~500'],
    ],
  },
  {
    group: 'smartCharging',
    rows: [
      ['SmartChargingCtrlr.Enabled', 'Smart charging enabled', '启用智能充电', 'list', YES_NO],
      [
        'SmartChargingCtrlr.LimitChangeSignificance',
        'Limit change significance',
        '限值变化阈值',
        'float',
        '0~100|1',
        '%',
      ],
    ],
  },
  {
    group: 'security',
    writeLevel: 2,
    batch: false,
    rows: [['SecurityCtrlr.OrganizationName', 'Organization name', '运营商名称', 'text', '1~255']],
  },
];

export const OCPP201_PILE = shipped({
  model: {
    ...{ name: 'Generic OCPP 2.0.1 pile', type: 1, parent: null, vendor: 'Generic' },
    ...{ sshSupport: false, webSupport: false, tolerant: false, protocol: 'ocpp2' },
  },
  configs: [MEASURANDS, ...VARIABLES_READ],
  parameters: VARIABLES_SET,
  controls: PILE_CONTROLS,
});

/** A charging station that can also discharge: the generic model, and items for discharging. */
export const V2G_PILE = shipped({
  model: {
    ...{ name: 'V2G pile', type: 6, parent: OCPP201_PILE.model.name, vendor: 'Generic' },
    ...{ sshSupport: true, webSupport: false, tolerant: false, protocol: 'ocpp2' },
  },
  configs: [
    {
      group: 'v2g',
      rows: [
        [
          'V2X.State',
          'Direction of power',
          '功率方向',
          'list',
          'Idle / 待机|idle\nCharging / 充电|charging\nDischarging / 放电|discharging',
        ],
        ['V2X.DischargePower', 'Discharging power', '放电功率', 'float', '', 'W'],
        ['V2X.DischargedEnergy', 'Discharged energy', '累计放电量', 'float', '', 'Wh'],
        ['V2X.VehicleMinSoC', 'Minimum SoC requested by the vehicle', '车辆要求最低电量', 'float', '0~100|0', '%'],
        ['V2X.GridFrequency', 'Grid frequency', '电网频率', 'float', '40~70|3', 'Hz'],
        ['V2X.Isolation', 'Insulation resistance', '绝缘电阻', 'float', '0~10000|0', 'kΩ'],
      ],
    },
  ],
  parameters: [
    {
      group: 'v2g',
      rows: [
        ['V2XChargingCtrlr.Enabled', 'Discharging enabled', '允许放电', 'list', YES_NO],
        ['V2XChargingCtrlr.MaxDischargePower', 'Maximum discharging power', '最大放电功率', 'int', '0~1000000', 'W'],
        ['V2XChargingCtrlr.MinSoC', 'Minimum SoC', '最低保留电量', 'int', '0~100', '%'],
        ['V2XChargingCtrlr.MaxSoC', 'Maximum SoC', '最高充电电量', 'int', '1~100', '%'],
        ['V2XChargingCtrlr.FrequencyResponse', 'Frequency response', '参与调频', 'list', YES_NO],
        ['V2XChargingCtrlr.FrequencyDeadband', 'Frequency deadband', '调频死区', 'float', '0~1|3', 'Hz'],
        ['V2XChargingCtrlr.RampRate', 'Ramp rate', '功率爬坡速率', 'int', '1~100', '%/s'],
      ],
    },
  ],
  controls: [],
});
