import { ISSUE_TYPES, type IssueCause, type IssueRemedy, type IssueType } from '@chargehand/domain';

interface Words {
  title: string;
  text: string;
  /** written when the cause was found */
  found: string;
  cause: string;
  remedy: string;
  /** written when it happened again */
  again: string;
  label: string;
}

/** How an alarm of the demo was repaired. */
export interface AlarmStory {
  type: IssueType;
  cause: IssueCause;
  remedy: IssueRemedy;
  'en-US': Words;
  'zh-CN': Words;
}

const AGAIN = {
  'en-US': { again: 'The same alarm came back this morning. I look at it again.', label: 'recurring' },
  'zh-CN': { again: '今早又出现同样的告警，需重新排查。', label: '反复出现' },
};
const hardware = ISSUE_TYPES.hardware;

/** The repairs by alarm code. */
export const STORIES: Readonly<Record<string, AlarmStory>> = {
  E1101: {
    ...{ type: hardware, cause: 'wear', remedy: 'cleaned' },
    'en-US': {
      ...{ title: 'Connector lock does not close', text: 'Drivers report that they have to plug in several times.' },
      ...{ found: 'Sand in the lock. The motor works.', cause: 'Sand in the lock', remedy: 'Cleaned and greased' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '电子锁不到位', text: '用户反映需多次插枪才能启动充电。' },
      ...{ found: '锁内有沙粒，电机正常。', cause: '锁内有沙粒', remedy: '已清洁并上润滑脂' },
      ...AGAIN['zh-CN'],
    },
  },
  E2301: {
    ...{ type: hardware, cause: 'hardware', remedy: 'replaced' },
    'en-US': {
      ...{ title: 'Main contactor is welded', text: 'The pile refuses to charge after a self-test.' },
      ...{ found: 'The contactor stays closed without voltage at the coil.' },
      ...{ cause: 'Contactor welded after an overload', remedy: 'Contactor replaced, self-test passed' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '主接触器粘连', text: '自检后无法启动充电。' },
      ...{ found: '线圈断电后触点仍闭合。', cause: '过载后触点粘连', remedy: '已更换接触器，自检通过' },
      ...AGAIN['zh-CN'],
    },
  },
  E3002: {
    ...{ type: hardware, cause: 'wear', remedy: 'cleaned' },
    'en-US': {
      ...{ title: 'Cabinet is too hot, power is reduced', text: 'Charging is slow every afternoon.' },
      ...{ found: 'The air filter is clogged.', cause: 'Clogged air filter', remedy: 'Filter replaced, fan cleaned' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '机柜过温，充电降功率', text: '每天下午充电明显变慢。' },
      ...{ found: '进风滤网堵塞。', cause: '滤网堵塞', remedy: '已更换滤网并清洁风扇' },
      ...AGAIN['zh-CN'],
    },
  },
  E4001: {
    ...{ type: hardware, cause: 'installation', remedy: 'repaired' },
    'en-US': {
      ...{ title: 'Meter does not answer', text: 'Sessions have no meter values.' },
      ...{ found: 'A loose wire of the RS-485 bus.', cause: 'Loose RS-485 wire', remedy: 'Terminal tightened' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '电表无应答', text: '充电记录中没有电量数据。' },
      ...{ found: 'RS-485 接线松动。', cause: 'RS-485 接线松动', remedy: '已紧固端子' },
      ...AGAIN['zh-CN'],
    },
  },
  E5101: {
    ...{ type: ISSUE_TYPES.software, cause: 'software', remedy: 'updated' },
    'en-US': {
      ...{ title: 'Card reader restarts again and again', text: 'Cards are only read at the second or third try.' },
      ...{ found: 'Known error of reader firmware 2.3.', cause: 'Reader firmware 2.3', remedy: 'Updated to 2.4' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '读卡器反复重启', text: '刷卡需两三次才能识别。' },
      ...{ found: '读卡器固件 2.3 的已知问题。', cause: '读卡器固件 2.3 缺陷', remedy: '已升级到 2.4' },
      ...AGAIN['zh-CN'],
    },
  },
  E6001: {
    ...{ type: hardware, cause: 'network', remedy: 'reconfigured' },
    'en-US': {
      ...{ title: 'Weak mobile signal', text: 'The pile loses its connection several times a day.' },
      ...{ found: 'The antenna is behind a new metal sign.', cause: 'Antenna shielded', remedy: 'Antenna moved' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '移动网络信号弱', text: '设备每天多次掉线。' },
      ...{ found: '天线被新装的金属广告牌遮挡。', cause: '天线被遮挡', remedy: '已移动天线位置' },
      ...AGAIN['zh-CN'],
    },
  },
  E9001: {
    ...{ type: hardware, cause: 'hardware', remedy: 'replaced' },
    'en-US': {
      ...{ title: 'Power module 2 does not answer', text: 'Only half of the rated power is available.' },
      ...{ found: 'The module is dead, its fuse is fine.', cause: 'Power module failed', remedy: 'Module replaced' },
      ...AGAIN['en-US'],
    },
    'zh-CN': {
      ...{ title: '2 号功率模块无应答', text: '仅能输出一半额定功率。' },
      ...{ found: '模块损坏，熔断器正常。', cause: '功率模块损坏', remedy: '已更换模块' },
      ...AGAIN['zh-CN'],
    },
  },
  E9900: {
    ...{ type: ISSUE_TYPES.charging, cause: 'misuse', remedy: 'instructed' },
    'en-US': {
      ...{ title: 'Emergency stop was pressed', text: 'All connectors of the pile are out of use.' },
      ...{ found: 'Released at the site. Children played here.', cause: 'Pressed without need' },
      ...{ remedy: 'Released; the site staff watches the button', ...AGAIN['en-US'] },
    },
    'zh-CN': {
      ...{ title: '急停按钮被按下', text: '整桩停止服务。' },
      ...{ found: '现场已复位，系儿童误按。', cause: '误按急停' },
      ...{ remedy: '已复位，并提醒现场人员留意', ...AGAIN['zh-CN'] },
    },
  },
};
