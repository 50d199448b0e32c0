import type { BatchRow } from '@chargehand/contract';
import type { LogType } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';

/** The name of a batch in one line: the command, its connector, the parameter and its value. */
export function useBatchName(): (batch: Pick<BatchRow, 'kind' | 'connector' | 'params'>) => string {
  const { t } = useTranslation('operations');
  const { t: files } = useTranslation('transfers');
  // Devices of a batch may number their connectors differently, so the plain number is shown.
  const connectorName = useConnectorName(null);
  return ({ kind, connector, params }) => {
    const { key, value, param1, param2, version } = params as Record<string, string | undefined>;
    const { logType } = params as { logType?: LogType };
    const parameter = key === undefined ? [] : [value === undefined ? key : `${key} = ${value}`];
    const place = connector > 0 ? [connectorName(connector)] : [];
    const log = logType && files(`logTypes.${logType}`);
    const texts = [param1, param2, version, log].filter((text) => text !== undefined);
    return [t(`kinds.${kind}.do`), ...place, ...parameter, ...texts].join(' · ');
  };
}
