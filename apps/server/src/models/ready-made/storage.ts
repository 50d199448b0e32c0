import { STORAGE_CONTROLS, shipped, YES_NO } from './parts.ts';

/** A home storage unit, with the metric names that such units usually publish over MQTT. */
export const HOME_STORAGE = shipped({
  model: {
    ...{ name: 'Home storage unit', type: 5, parent: null, vendor: 'Generic' },
    ...{ sshSupport: true, webSupport: true, tolerant: false, protocol: 'mqtt' },
  },
  configs: [
    {
      group: 'identity',
      rows: [
        ['Properties/Model', 'Model', '型号', 'text', '0~50'],
        ['Properties/Serial', 'Serial number', '序列号', 'text', '0~50'],
        ['Properties/Firmware', 'Firmware version', '固件版本', 'text', '0~50'],
        ['PlcFirmwareVersion', 'PLC firmware version', 'PLC 固件版本', 'text', '0~50'],
        ['Properties/Rated Power', 'Rated power', '额定功率', 'float', '0~1000|1', 'kW'],
        ['Properties/Rated Energy', 'Rated energy', '额定电量', 'float', '0~10000|1', 'kWh'],
      ],
    },
    {
      group: 'battery',
      rows: [
        [
          'Battery/State',
          'State',
          '运行状态',
          'list',
          'Idle / 待机|0|number\nCharging / 充电|1|number\nDischarging / 放电|2|number\nFault / 故障|3|number',
        ],
        ['Battery/SoC', 'State of charge', '荷电状态', 'float', '0~100|1', '%'],
        ['Battery/SoH', 'State of health', '健康状态', 'float', '0~100|1', '%'],
        ['Battery/Power', 'Power', '功率', 'float', '-1000~1000|3', 'kW'],
        ['Battery/Voltage', 'Voltage', '电压', 'float', '0~1500|1', 'V'],
        ['Battery/Current', 'Current', '电流', 'float', '-1000~1000|1', 'A'],
        ['Battery/Temperature', 'Temperature', '温度', 'float', '-60~150|1', '°C'],
        ['Battery/Cell Voltage Max', 'Highest cell voltage', '最高单体电压', 'float', '0~5|3', 'V'],
        ['Battery/Cell Voltage Min', 'Lowest cell voltage', '最低单体电压', 'float', '0~5|3', 'V'],
        ['Battery/Cell Temperature Max', 'Highest cell temperature', '最高单体温度', 'float', '-60~150|1', '°C'],
        ['Battery/Cycles', 'Cycles', '循环次数', 'int', '0~1000000'],
        ['Battery/Charged Energy', 'Charged energy', '累计充电量', 'float', '', 'kWh'],
        ['Battery/Discharged Energy', 'Discharged energy', '累计放电量', 'float', '', 'kWh'],
      ],
    },
    {
      group: 'power',
      rows: [
        ['Grid/Power', 'Grid power', '电网功率', 'float', '-1000~1000|3', 'kW'],
        ['Grid/Voltage', 'Grid voltage', '电网电压', 'float', '0~1000|1', 'V'],
        ['Grid/Frequency', 'Grid frequency', '电网频率', 'float', '40~70|2', 'Hz'],
        ['Grid/Imported Energy', 'Imported energy', '累计购电量', 'float', '', 'kWh'],
        ['Grid/Exported Energy', 'Exported energy', '累计售电量', 'float', '', 'kWh'],
        ['Load/Power', 'Load power', '负载功率', 'float', '0~1000|3', 'kW'],
        ['PV/Power', 'Solar power', '光伏功率', 'float', '0~1000|3', 'kW'],
        ['PV/Energy', 'Solar energy', '累计发电量', 'float', '', 'kWh'],
        ['Inverter/Temperature', 'Inverter temperature', '逆变器温度', 'float', '-60~150|1', '°C'],
        ['Inverter/Fault', 'Fault code', '故障码', 'int', '0~65535'],
      ],
    },
  ],
  parameters: [
    {
      group: 'battery',
      rows: [
        [
          'Settings/Mode',
          'Mode',
          '运行模式',
          'list',
          'Self-consumption / 自发自用|0|number\nTime of use / 峰谷套利|1|number\nBackup / 备电|2|number\nManual / 手动|3|number',
        ],
        ['Settings/SoC Min', 'Minimum SoC', '最低保留电量', 'int', '0~100', '%'],
        ['Settings/SoC Max', 'Maximum SoC', '最高充电电量', 'int', '1~100', '%'],
        ['Settings/Charge Power Max', 'Maximum charging power', '最大充电功率', 'float', '0~1000|1', 'kW'],
        ['Settings/Discharge Power Max', 'Maximum discharging power', '最大放电功率', 'float', '0~1000|1', 'kW'],
        ['Settings/Backup Reserve', 'Backup reserve', '备电预留电量', 'int', '0~100', '%'],
      ],
    },
    {
      group: 'power',
      rows: [
        ['Settings/Power Setpoint', 'Power setpoint in manual mode', '手动功率设定', 'float', '-1000~1000|1', 'kW'],
        ['Settings/Grid Charging', 'Grid charging', '允许电网充电', 'list', YES_NO],
        ['Settings/Feed In', 'Grid feed-in', '允许馈网', 'list', YES_NO],
        ['Settings/Feed In Limit', 'Feed-in power limit', '馈网功率上限', 'float', '0~1000|1', 'kW'],
        ['Settings/Charge From', 'Charging start hour', '充电开始时刻', 'int', '0~23', 'h'],
        ['Settings/Charge To', 'Charging end hour', '充电结束时刻', 'int', '0~23', 'h'],
      ],
    },
    {
      group: 'communication',
      rows: [
        ['Settings/Report Interval', 'Report interval', '上报间隔', 'int', '1~3600', 's'],
        ['Settings/Meter Address', 'Meter address', '电表地址', 'int', '1~247'],
      ],
    },
  ],
  controls: STORAGE_CONTROLS,
});
