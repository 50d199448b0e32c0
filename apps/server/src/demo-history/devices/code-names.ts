/** The names of the alarm codes of the simulated manufacturers. The standard codes of OCPP have names already.
 * Each is explained by a shipped document. */
export const CHARGER_CODES = [
  { code: 'E1101', nameEn: 'Connector lock does not close', nameZh: '电子锁未到位', document: 'connector-lock' },
  { code: 'E1204', nameEn: 'Control pilot lost', nameZh: '控制导引信号丢失', document: 'pilot' },
  { code: 'E2001', nameEn: 'Residual current above 30 mA', nameZh: '剩余电流超过 30 mA', document: 'ground-failure' },
  { code: 'E2104', nameEn: 'Output current above the limit', nameZh: '输出过流', document: 'over-current' },
  { code: 'E2202', nameEn: 'Mains above 264 V', nameZh: '电网电压高于 264 V', document: 'over-voltage' },
  { code: 'E2203', nameEn: 'Mains below 196 V', nameZh: '电网电压低于 196 V', document: 'under-voltage' },
  { code: 'E2301', nameEn: 'Main contactor welded', nameZh: '主接触器粘连', document: 'power-switch' },
  {
    code: 'E3002',
    nameEn: 'Cabinet too hot, power reduced',
    nameZh: '机柜过温，降功率运行',
    document: 'high-temperature',
  },
  { code: 'E4001', nameEn: 'Meter does not answer', nameZh: '电表无应答', document: 'power-meter' },
  { code: 'E5003', nameEn: 'Local list out of date', nameZh: '本地名单不一致', document: 'local-list-conflict' },
  { code: 'E5101', nameEn: 'Card reader restarts', nameZh: '读卡器反复重启', document: 'reader' },
  { code: 'E6001', nameEn: 'Weak mobile signal', nameZh: '移动网络信号弱', document: 'weak-signal' },
  { code: 'E9001', nameEn: 'Power module 2 does not answer', nameZh: '2 号功率模块无应答', document: 'power-module' },
  { code: 'E9102', nameEn: 'Controller did not restart in time', nameZh: '控制器重启超时', document: 'reset' },
  { code: 'E9900', nameEn: 'Emergency stop pressed', nameZh: '急停按钮被按下', document: 'emergency-stop' },
] as const;

/** The faults of the simulated storage units. */
export const STORAGE_CODES = [
  { code: 'Inverter/Fault:17', nameEn: 'Grid voltage out of range', nameZh: '电网电压超限' },
  { code: 'Inverter/Fault:32', nameEn: 'Inverter too hot', nameZh: '逆变器过温' },
  { code: 'Inverter/Fault:41', nameEn: 'Battery does not answer', nameZh: '电池通信中断' },
  { code: 'Inverter/Fault:108', nameEn: 'Insulation resistance too low', nameZh: '绝缘阻抗过低' },
] as const;
