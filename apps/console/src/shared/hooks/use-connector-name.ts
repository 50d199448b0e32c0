import { connectorLabel } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/**
 * The names of a device's connectors: their number, or EVSE and connector for OCPP 2.0.1 (`protocol` as reported by its
 * connection, null when unknown); 0 is the device itself. `inText` is the form within a sentence.
 */
export function useConnectorName(protocol: string | null): (connector: number, form?: 'alone' | 'inText') => string {
  const { t } = useTranslation();
  return (connector, form = 'alone') => {
    const { kind, ...numbers } = connectorLabel(connector, protocol);
    return t(`connectorName.${form}.${kind}`, numbers);
  };
}
