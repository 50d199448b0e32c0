import type { Texts } from './ocpp-fields.ts';

/** The fields of plain JSON over MQTT, after the name of the topic where the name alone has several meanings. */
export const JSON_FIELDS: Texts = {
  at: ['Time of the message', '消息时间'],
  connector: ['Connector or port; 0 is the whole device', '枪号或端口号；0 表示整台设备'],
  'status.status': ['Whether the device is connected', '设备是否在线'],
  softVersion: ['Software version', '软件版本'],
  state: ['State of the device', '设备状态'],
  fault: ['Fault code of the manufacturer', '厂商故障码'],
  info: ['Details', '补充说明'],
  firmwareStatus: ['State of the firmware update', '固件升级的状态'],
  logStatus: ['State of the upload', '上传的状态'],
  requestId: ['Number of the request that this belongs to', '所属请求的编号'],
  value: ['Value', '值'],
  unit: ['Unit of the value', '数值的单位'],
  counter: ['Whether the value is a counter', '是否为累计量'],
  readonly: ['Whether the parameter cannot be set', '参数是否只读'],
  code: ['Alarm code', '告警码'],
  active: ['Whether the alarm is raised or cleared', '告警产生或解除'],
  level: ['Level of the alarm', '告警级别'],
  kind: ['Kind of alarm', '告警类型'],
  complete: ['Whether these are all parameters', '是否为全部参数'],
  id: ['Number of the command', '命令编号'],
  status: ['Result of the command', '命令的执行结果'],
  detail: ['Details', '补充说明'],
  command: ['Command', '命令'],
  topic: ['Topic of the refused message', '被拒绝的消息的主题'],
  problem: ['What is wrong with the message', '消息的问题'],
};

/** The values of fields of plain JSON, and of responses to commands over Sparkplug. */
export const JSON_VALUES: Texts = {
  online: ['connected', '在线'],
  offline: ['disconnected', '离线'],
  idle: ['idle', '空闲'],
  charging: ['charging', '充电中'],
  discharging: ['discharging', '放电中'],
  accepted: ['accepted', '已接受'],
  scheduled: ['when the session is over', '稍后执行'],
  rebootRequired: ['accepted; effective after a restart', '已接受，重启后生效'],
  rejected: ['rejected', '已拒绝'],
  notSupported: ['not supported', '不支持'],
  unknownKey: ['unknown parameter', '未知参数'],
  alarm: ['alarm', '告警'],
  fault: ['fault', '故障'],
  unavailable: ['unavailable', '不可用'],
  '0': ['idle', '空闲'],
  '1': ['charging', '充电中'],
  '2': ['discharging', '放电中'],
  '3': ['fault', '故障'],
};

/** The fields of Sparkplug B as the protocol log shows them. */
export const SPARKPLUG_FIELDS: Texts = {
  timestamp: ['Time, in milliseconds since 1970', '时间戳（自 1970 年起的毫秒数）'],
  seq: ['Sequence number, 0 to 255', '序号，0 到 255'],
  metrics: ['Metrics', '指标'],
  name: ['Name of the metric', '指标名称'],
  alias: ['Short number of the metric, from the birth', '指标的别名编号，由上线消息定义'],
  type: ['Data type', '数据类型'],
  value: ['Value of the metric', '指标的值'],
  isHistorical: ['Whether the value was buffered', '是否为补传的历史值'],
  more: ['Metrics that are not shown', '未显示的指标数'],
};

/** Metrics with a meaning of their own, by their name without the part before the last `/`, or their whole name. */
export const METRICS: Texts = {
  bdSeq: ['Number of the session, to match births and deaths', '会话编号，用于匹配上线和离线消息'],
  State: ['State of the device', '设备状态'],
  Fault: ['Fault code of the manufacturer; 0 is no fault', '厂商故障码；0 表示无故障'],
  Firmware: ['Software version', '软件版本'],
  'Firmware/Status': ['State of the firmware update', '固件升级的状态'],
  'Firmware/Request': ['Number of the request for the firmware update', '固件升级请求的编号'],
  'Log/Status': ['State of the upload', '上传的状态'],
  'Log/Request': ['Number of the request for the upload', '上传请求的编号'],
  Rebirth: ['Requests all metrics again', '要求重新上报全部指标'],
  Reboot: ['Soft restart', '软重启'],
  'Hard Reboot': ['Hard restart', '硬重启'],
  Enabled: ['Whether the device can be used', '设备是否启用'],
  Answer: ['Response to a command', '命令的响应'],
  'Command Id': ['Number of the command', '命令编号'],
};

/** The names of our own messages in DataTransfer (controls without a message in OCPP), and of commands as JSON. */
export const COMMANDS: Texts = {
  softReset: ['Soft restart', '软重启'],
  hardReset: ['Hard restart', '硬重启'],
  disableSystem: ['Disable the device', '停用设备'],
  enableSystem: ['Enable the device', '启用设备'],
  disableConnector: ['Disable a connector', '停用枪'],
  enableConnector: ['Enable a connector', '启用枪'],
  upgradeSoftware: ['Upgrade the software', '升级软件'],
  uploadLog: ['Upload the log', '上传日志'],
  startVpn: ['Open a remote link (control 7)', '打开远程连接（控制 7）'],
  stopVpn: ['Close a remote link (control 8)', '关闭远程连接（控制 8）'],
  restartCcu: ['Restart the CCU (control 9)', '重启 CCU（控制 9）'],
  refreshConfiguration: ['Read the configuration', '读取配置'],
  refreshParameters: ['Read the parameters', '读取参数'],
  updatePlcFirmware: ['Update the PLC firmware (control 10)', '升级 PLC 固件（控制 10）'],
  setParameter: ['Set a parameter', '设置参数'],
  remoteStart: ['Start a session', '启动充电'],
  remoteStop: ['Stop a session', '停止充电'],
  unlockConnector: ['Unlock a connector', '解锁枪'],
  clearCache: ['Clear the authorization cache', '清除授权缓存'],
  triggerMessage: ['Request a message', '请求消息'],
  sendMessage: ['Send a message', '发送消息'],
  changePassword: ['Change the gateway password', '修改网关密码'],
  updateTokenList: ['Update the local authorization list', '更新本地授权列表'],
};

/** The parameters of those messages and commands. */
export const PARAMETERS: Texts = {
  param1: ['First value of the control, as the device model defines it', '控制的第一个参数，由设备型号定义'],
  param2: ['Second value of the control, as the device model defines it', '控制的第二个参数，由设备型号定义'],
  key: ['Name of the parameter', '参数名'],
  value: ['New value of the parameter', '参数的新值'],
  link: ['Number of the link', '远程连接编号'],
  host: ['SSH server for the link', '远程连接的 SSH 服务器'],
  port: ['Port of the SSH server', 'SSH 服务器的端口'],
  hostKey: ['Public key of the SSH server', 'SSH 服务器的公钥'],
  hostKeys: ['Public keys of the SSH server of all kinds', 'SSH 服务器各类型的公钥'],
  user: ['User name for the SSH server', 'SSH 服务器的用户名'],
  ticket: ['One-time password for the SSH server', 'SSH 服务器的一次性密码'],
  forwards: ['Ports to forward to the device', '要转发到设备的端口'],
  listen: ['Port to request on the server', '在服务器上申请的端口'],
  to: ['Address on the device', '设备上的地址'],
  endsAt: ['When the server closes the link', '服务器关闭连接的时间'],
  seconds: ['Time until the server closes the link', '距服务器关闭连接的时间'],
  location: ['Address for the transfer', '传输地址'],
  requestId: ['Number of the request', '请求编号'],
  version: ['Version of the firmware', '固件版本'],
  size: ['Size of the file', '文件大小'],
  checksum: ['SHA-256 of the file', '文件的 SHA-256 值'],
  signingCertificate: ['Certificate of the signature', '签名所用的证书'],
  signature: ['Signature of the file', '文件签名'],
  from: ['Start of the time range', '时间范围的开始'],
  until: ['End of the time range', '时间范围的结束'],
};

/** Units of these parameters. */
export const PARAMETER_UNITS: Readonly<Record<string, string>> = { seconds: 's', size: 'B' };
