/** Where a charge point with an SN connects: the host of this page, since both are served by one server. */
export function gatewayAddress(sn = '<SN>'): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ocpp/${sn}`;
}
