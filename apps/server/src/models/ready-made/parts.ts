import { MODEL_FILE_FORMAT, MODEL_FILE_VERSION, type ModelFile } from '@chargehand/contract';
import type { Bilingual, ControlReading, ControlType, ItemType, Level, Precondition } from '@chargehand/domain';

/** A group of the shipped data model: its English and Chinese name. */
const GROUPS = {
  identity: { en: 'Identity', zh: '设备标识' },
  metering: { en: 'Metering', zh: '计量数据' },
  charging: { en: 'Charging', zh: '充电控制' },
  authorization: { en: 'Authorization', zh: '鉴权' },
  communication: { en: 'Communication', zh: '通信' },
  sampling: { en: 'Sampling', zh: '采样' },
  smartCharging: { en: 'Smart charging', zh: '智能充电' },
  security: { en: 'Security', zh: '安全' },
  battery: { en: 'Battery', zh: '电池' },
  power: { en: 'Power and grid', zh: '功率与电网' },
  v2g: { en: 'Vehicle to grid', zh: '车网互动' },
} as const satisfies Record<string, Bilingual>;
type Group = keyof typeof GROUPS;

export const TYPES = { int: 1, float: 2, text: 3, list: 4 } as const satisfies Record<string, ItemType>;

/** True or false, as OCPP writes it. */
export const YES_NO = 'Yes / 是|true|boolean\nNo / 否|false|boolean';

/** A shipped item: key, name in English and Chinese, type, range, unit. */
export type Row = readonly [
  key: string,
  en: string,
  zh: string,
  type: keyof typeof TYPES,
  range?: string,
  unit?: string,
];

/** The permissions for the items of a table. */
interface Rules {
  group: Group;
  readLevel?: Level;
  writeLevel?: Level;
  batch?: boolean;
}

/** Items of one group with the same permissions, in the order of the table. */
export interface Table extends Rules {
  rows: readonly Row[];
}

interface Shipped {
  model: Omit<ModelFile['model'], 'parameterReadLevel' | 'parameterWriteLevel' | 'controlLevel'>;
  configs: readonly Table[];
  parameters: readonly Table[];
  controls: ModelFile['controls'];
}

/** The distance between priorities of a table, so that an item can be inserted between two. */
const STEP = 10;

/**
 * A shipped model in the form of a file. Its levels are the usual ones: everyone reads, level 3 sets parameters, level
 * 4 controls.
 */
export function shipped({ model, configs, parameters, controls }: Shipped): ModelFile {
  const tables = [...configs, ...parameters];
  const groups = [...new Set(tables.map(({ group }) => group))];
  const items = new Map(
    tables.flatMap(({ group, rows }) =>
      rows.map(([key, en, zh, type, range = '', unit = '']) => [
        key,
        { key, name: { en, zh }, group: GROUPS[group].en, type: TYPES[type], range, unit },
      ]),
    ),
  );
  const entries = (own: readonly Table[], usual: { writeLevel: Level; batch: boolean }) =>
    own.flatMap(({ rows, ...rules }) =>
      rows.map(([key], index) => ({
        ...{ key, removed: false, group: null, range: null, unit: null, priority: (index + 1) * STEP },
        readLevel: rules.readLevel ?? 5,
        writeLevel: rules.writeLevel ?? usual.writeLevel,
        batch: rules.batch ?? usual.batch,
      })),
    );
  return {
    format: MODEL_FILE_FORMAT,
    version: MODEL_FILE_VERSION,
    model: { ...model, parameterReadLevel: 5, parameterWriteLevel: 3, controlLevel: 4 },
    groups: groups.map((group) => GROUPS[group]),
    items: [...items.values()],
    configs: entries(configs, { writeLevel: 0, batch: false }),
    parameters: entries(parameters, { writeLevel: 3, batch: true }),
    controls,
  };
}

type Control = ModelFile['controls'][number];

/** A control with the usual level. */
function control(
  type: ControlType,
  name: Bilingual,
  more: {
    param1?: Bilingual;
    param2?: Bilingual;
    reading?: ControlReading;
    precondition?: Precondition;
    level?: Level;
  } = {},
): Control {
  return {
    ...{ type, name, removed: false, level: more.level ?? 4 },
    ...{ param1: more.param1 ?? null, param2: more.param2 ?? null },
    ...{ reading: more.reading ?? null, precondition: more.precondition ?? null },
  };
}

const ADDRESS = { en: 'Address', zh: '地址' };
const CONNECTOR = { en: 'Connector', zh: '枪号' };
const SWITCH = { en: 'Operative or inoperative', zh: '启用或停用' };

const RESETS = [
  control(1, { en: 'Soft reset', zh: '软重启' }),
  control(2, { en: 'Hard reset', zh: '硬重启' }, { precondition: 'noSession' }),
];
const FILES_AND_LINKS = [
  control(
    5,
    { en: 'Upgrade software', zh: '软件升级' },
    { param1: ADDRESS, param2: { en: 'Install at', zh: '安装时间' }, precondition: 'noSession' },
  ),
  control(6, { en: 'Upload log', zh: '上传日志' }, { param1: ADDRESS, param2: { en: 'Since', zh: '起始时间' } }),
  control(7, { en: 'Start VPN', zh: '启动 VPN' }, { param1: { en: 'Port', zh: '端口' } }),
  control(8, { en: 'Stop VPN', zh: '停止 VPN' }),
];
const SETTING = control(
  11,
  { en: 'Set parameter', zh: '设置参数' },
  { param1: { en: 'Parameter', zh: '参数' }, param2: { en: 'Value', zh: '参数值' } },
);

const SESSIONS_AND_TESTS = [
  control(12, { en: 'Remote start', zh: '远程启动充电' }),
  control(13, { en: 'Remote stop', zh: '远程停止充电' }),
  control(14, { en: 'Unlock connector', zh: '解锁枪' }),
  control(15, { en: 'Clear authorization cache', zh: '清除授权缓存' }),
  control(16, { en: 'Trigger message', zh: '触发消息' }),
  control(17, { en: 'Send protocol message', zh: '下发协议消息' }),
];

/**
 * The controls of a charge point: all eleven controls of spec §9, 9 and 10 as OCPP defines them, and the additional
 * ones of OCPP.
 */
export const PILE_CONTROLS: Control[] = [
  ...RESETS,
  control(3, { en: 'Disable or enable the pile', zh: '停用或启用充电桩' }, { param1: SWITCH }),
  control(4, { en: 'Disable or enable a connector', zh: '停用或启用充电枪' }, { param1: CONNECTOR, param2: SWITCH }),
  ...FILES_AND_LINKS,
  control(9, { en: 'Refresh configuration', zh: '刷新配置' }, { reading: 'refreshConfiguration' }),
  control(
    10,
    { en: 'Refresh parameters', zh: '刷新参数' },
    { reading: 'refreshParameters', param1: { en: 'Parameter', zh: '参数' } },
  ),
  SETTING,
  ...SESSIONS_AND_TESTS,
];

/** The controls of a storage unit: 9 restarts its control unit, 10 updates its PLC. */
export const STORAGE_CONTROLS: Control[] = [
  ...RESETS,
  control(3, { en: 'Disable or enable the unit', zh: '停用或启用储能单元' }, { param1: SWITCH }),
  control(4, { en: 'Disable or enable a port', zh: '停用或启用接口' }, { param1: CONNECTOR, param2: SWITCH }),
  ...FILES_AND_LINKS,
  control(
    9,
    { en: 'Restart control unit', zh: '重启主控单元' },
    { reading: 'restartCcu', precondition: 'maintenance' },
  ),
  control(
    10,
    { en: 'Update PLC firmware', zh: '升级 PLC 固件' },
    { reading: 'updatePlcFirmware', param1: ADDRESS, precondition: 'maintenance' },
  ),
  SETTING,
];
