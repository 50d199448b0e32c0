import { connectorLabel, connectorNumber, type EvseConnector, evseConnector } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The connector of a link. `evse`: as labels of OCPP 2 devices name it. */
export interface Outlet {
  number: number;
  evse: EvseConnector | null;
}

/** The connector in the address of a label: `c=2`, or `e=1&c=2` for a connector of an EVSE. Null when there is none. */
export function outletOf(search: URLSearchParams): Outlet | null {
  const numberIn = (name: string) => (/^[1-9]\d{0,2}$/.test(search.get(name) ?? '') ? Number(search.get(name)) : null);
  const connector = numberIn('c');
  if (connector === null) return null;
  if (!search.has('e')) return connector < 100 ? { number: connector, evse: null } : null;
  const number = connectorNumber(numberIn('e') ?? -1, connector);
  return number === null ? null : { number, evse: evseConnector(number) };
}

/** Names connectors for reporters. Numbers that only EVSEs have are shown as EVSE and connector. */
export function useOutletName(): (outlet: Outlet) => string {
  const { t } = useTranslation('report');
  return ({ number, evse }) => {
    const label = connectorLabel(number, null);
    const place = evse ?? (label.kind === 'evse' ? label : null);
    if (label.kind === 'wholeEvse') return t('follow.wholeEvse', { evse: label.evse });
    return place === null
      ? t('follow.connector', { number })
      : t('follow.evse', { evse: place.evse, connector: place.connector });
  };
}
