import type { ExecutionRow, IssueEvidence } from '@chargehand/contract';
import { executionReasons } from '@chargehand/contract/execution-reasons';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../../shared/hooks/use-connector-name.ts';
import { useReason } from '../../../../shared/hooks/use-reason.ts';
import { Table } from '../../../../shared/ui/table/table.tsx';
import { ExactTime } from '../../../../shared/ui/values/time-ago.tsx';
import { useCommandWords } from '../../shared/command-words.ts';

/** The commands to the device in the day before. */
export function CommandTable(props: { commands: IssueEvidence['commands']; protocol: string | null }) {
  const { t } = useTranslation('issue');
  const placeOf = useConnectorName(props.protocol);
  const { nameOf, resultOf } = useCommandWords();
  const reasonOf = useReason();
  const rows = props.commands.map((command, index) => ({ ...command, id: index }));
  return (
    <Table
      label={t('evidence.commands')}
      rows={rows}
      scrollWidth="max-content"
      columns={[
        { title: t('evidence.at'), render: (_, { queuedAt }) => <ExactTime at={queuedAt} /> },
        { title: t('evidence.command'), render: (_, { kind }) => nameOf(kind) },
        { title: t('evidence.place'), render: (_, { connector }) => placeOf(connector) },
        { title: t('evidence.requestedBy'), render: (_, { requestedBy }) => requestedBy || t('evidence.automatic') },
        {
          title: t('evidence.result'),
          render: (_, { result, reason }) => {
            const known = reason !== null && reason in executionReasons;
            const why = known ? reasonOf({ reason: reason as ExecutionRow['reason'] }) : '';
            return [resultOf(result), why].filter(Boolean).join(' · ');
          },
        },
      ]}
    />
  );
}
