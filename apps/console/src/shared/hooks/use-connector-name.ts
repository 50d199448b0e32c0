import { connectorLabel } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/**
 * What the connectors of a device are called: by their number, or by EVSE and connector where the device speaks
 * OCPP 2.0.1 (`protocol` as its connection reports it, null when that is not known); 0 is the device itself. `inText` is the
 * form inside a sentence.
 */
export function useConnectorName(protocol: string | null): (connector: number, form?: 'alone' | 'inText') => string {
  const { t } = useTranslation();
  return (connector, form = 'alone') => {
    const { kind, ...numbers } = connectorLabel(connector, protocol);
    return t(`connectorName.${form}.${kind}`, numbers);
  };
}
