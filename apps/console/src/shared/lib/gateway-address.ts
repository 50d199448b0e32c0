/** The URL to which a charge point with an SN connects: the host of this page, because one server serves both. */
export function gatewayAddress(sn = '<SN>'): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ocpp/${sn}`;
}
