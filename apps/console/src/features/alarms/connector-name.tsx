import { useTranslation } from 'react-i18next';

/** Connector 0 is the device itself. */
export function ConnectorName({ connector }: { connector: number }) {
  const { t } = useTranslation('alarms');
  return <span className="no-break">{connector === 0 ? t('whole') : t('connectorNumber', { number: connector })}</span>;
}
