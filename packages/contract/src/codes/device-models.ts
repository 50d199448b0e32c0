import type { CodeEntry } from '../operations/message.ts';

export const DEVICE_MODEL_CODES = {
  itemGroupNameExists: { code: 10431, en: 'A group with this name already exists.', zh: '分组名称已存在。' },
  itemGroupInUse: {
    code: 10432,
    en: 'Data items or device models use this group. Move them to another one first.',
    zh: '该分组下还有数据项，或正被设备型号使用，请先移到其他分组。',
  },
  itemGroupUnknown: { code: 10433, en: 'The group no longer exists.', zh: '分组不存在。' },
  itemKeyExists: { code: 10434, en: 'A data item with this key already exists.', zh: '已有数据项使用该协议标识。' },
  itemKeyFormat: {
    code: 10435,
    en: 'The key must have 1 to 100 printable ASCII characters, without leading or trailing spaces.',
    zh: '协议标识应为 1 到 100 个可打印的 ASCII 字符，首尾不能有空格。',
  },
  dataItemInUse: {
    code: 10436,
    en: 'Device models use this item. It cannot be deleted, and its type and key cannot be changed.',
    zh: '该数据项正被设备型号使用，不能删除，也不能修改类型和协议标识。',
  },
  dataItemUnknown: { code: 10437, en: 'A data item no longer exists.', zh: '数据项不存在。' },
  orderStale: {
    code: 10438,
    en: 'The list has changed. Reload it and order it again.',
    zh: '列表已发生变化，请刷新后重新排序。',
  },
  deviceModelNameExists: {
    code: 10441,
    en: 'A device model with this name already exists.',
    zh: '设备型号名称已存在。',
  },
  deviceModelChanged: {
    code: 10442,
    en: '{name} has changed this model. Reload it. Your changes are not saved.',
    zh: '{name} 已修改过该型号，请刷新后重试；您的修改尚未保存。',
  },
  deviceModelInUse: {
    code: 10443,
    en: 'Devices use this model. Assign another model to them first.',
    zh: '仍有设备使用该型号，请先为这些设备更换型号。',
  },
  deviceModelHasChildren: {
    code: 10444,
    en: 'Other models inherit from this model. Change their parent first.',
    zh: '仍有型号继承自该型号，请先更换其父型号。',
  },
  deviceModelCircle: {
    code: 10445,
    en: 'A model cannot inherit from itself or from one of its child models.',
    zh: '型号不能继承自身，也不能继承自其下级型号。',
  },
  deviceModelParentUnknown: { code: 10446, en: 'The parent model does not exist.', zh: '父型号不存在。' },
  modelItemTwice: {
    code: 10447,
    en: '{key} is listed twice.',
    zh: '{key} 重复。',
  },
  modelItemRange: {
    code: 10448,
    en: 'The range of {key} is not valid: {reason}',
    zh: '{key} 的取值范围不正确：{reason}',
  },
  modelItemSecret: {
    code: 10453,
    en: 'Only a parameter can be secret: {key} is reported by the device itself.',
    zh: '{key} 由设备自行上报，只有参数可设为保密。',
  },
  controlTypeTwice: {
    code: 10449,
    en: 'Control type {type} is listed twice. It must be unique within a model.',
    zh: '控制类型 {type} 重复，同一型号中不能重复。',
  },
  controlLevelLow: {
    code: 10450,
    en: 'Control type {type}: the level must be greater than the parameter write level {level} of the model {model}.',
    zh: '控制类型 {type}：控制等级必须大于型号 {model} 的参数写入等级 {level}。',
  },
  ruleItemMissing: {
    code: 10481,
    en: 'Alarm rule {code}: the item is not a config item of the model {model}.',
    zh: '告警规则 {code}：其数据项不在型号 {model} 的配置项中。',
  },
  ruleType: {
    code: 10482,
    en: 'Alarm rule {code}: items of this type have no bounds.',
    zh: '告警规则 {code}：该类型的数据项不支持上下限条件。',
  },
  ruleBounds: {
    code: 10483,
    en: 'Alarm rule {code}: set exactly the bounds that the condition needs.',
    zh: '告警规则 {code}：请按条件填写对应的上下限。',
  },
  ruleOrder: {
    code: 10484,
    en: 'Alarm rule {code}: the lower bound must be below the upper bound.',
    zh: '告警规则 {code}：下限必须小于上限。',
  },
  ruleValues: {
    code: 10485,
    en: 'Alarm rule {code}: this condition needs at least one value. Conditions with bounds have no values.',
    zh: '告警规则 {code}：该条件至少需要一个取值；上下限条件无需取值。',
  },
  ruleHysteresis: {
    code: 10486,
    en: 'Alarm rule {code}: only conditions with bounds have a hysteresis, at most half the distance between the bounds.',
    zh: '告警规则 {code}：仅上下限条件可设回差，且不得超过上下限之差的一半。',
  },
  ruleDuration: {
    code: 10487,
    en: 'Alarm rule {code}: the duration must be at least 10 s for a missing value, and at least 1 s for a change.',
    zh: '告警规则 {code}：数据缺失至少等待 10 秒，数值变化至少持续 1 秒。',
  },
  modelLevelsOrder: {
    code: 10451,
    en: 'The control level must be greater than the parameter write level.',
    zh: '控制等级必须大于参数写入等级。',
  },
  controlReadingWrong: {
    code: 10452,
    en: 'Control type {type}: types 9 and 10 require one of their two meanings. Other types have none.',
    zh: '控制类型 {type}：类型 9 和 10 必须选择其中一种含义，其他类型无需选择。',
  },
  importNotJson: {
    code: 10461,
    en: 'The file is not valid JSON (line {line}, column {column}).',
    zh: '导入文件不是有效的 JSON（第 {line} 行第 {column} 列）。',
  },
  importNotModel: {
    code: 10462,
    en: 'The file is not a device model file of this format.',
    zh: '该文件不是此格式的设备型号文件。',
  },
  importRefused: {
    code: 10463,
    en: 'The file has problems ({count}) and was not imported. A dry run lists them.',
    zh: '文件存在 {count} 个问题，未导入。可先试运行查看详情。',
  },
  importTypeDiffers: {
    code: 10464,
    en: 'The data item {key} already exists with another type.',
    zh: '数据项 {key} 已存在，但类型不同。',
  },
  importItemMissing: {
    code: 10465,
    en: 'The file does not define the item {key}.',
    zh: '文件中没有数据项 {key} 的定义。',
  },
  importGroupMissing: {
    code: 10466,
    en: 'The file does not define the group {key}.',
    zh: '文件中没有分组 {key} 的定义。',
  },
  modelAliasExists: {
    code: 10471,
    en: 'An alias for this vendor and model already exists.',
    zh: '该厂商与上报型号的别名已存在。',
  },
} as const satisfies Record<string, CodeEntry>;
