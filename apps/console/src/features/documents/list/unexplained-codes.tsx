import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { addPath, codePath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';

const SPEC: ListSpec<Record<never, never>, never> = { filters: {}, sorts: [] };
type Code = Answer<'listUnexplainedCodes'>['items'][number];
/** Rows of a table have an ID; codes are numbered. */
const numbered = ({ items }: Answer<'listUnexplainedCodes'>) => items.map((row, id) => ({ ...row, id }));

/**
 * The alarm codes of the last 90 days that no document explains, most frequent first. The page of a code shows how its
 * issues ended.
 */
export function UnexplainedCodes() {
  const { t } = useTranslation('documents');
  const { add, reads } = useDocumentRights();
  const list = useList(SPEC, 'listUnexplainedCodes', (query) => ({ query }), { rowsOf: numbered });
  const write = ({ code }: Code) =>
    add && <LinkButton to={addPath({ type: DOCUMENT_TYPES.alarm, code })}>{t('missing.write')}</LinkButton>;
  const name = ({ code }: Code) =>
    reads ? (
      <Link className="mono" to={codePath({ type: DOCUMENT_TYPES.alarm, code })}>
        {code}
      </Link>
    ) : (
      <span className="mono">{code}</span>
    );
  const alarms = ({ code, alarms: count }: Code) => (
    <Link to={`/manage/device/alarms?${new URLSearchParams({ code })}`}>{t('missing.alarms', { count })}</Link>
  );
  return (
    <>
      <p className="quiet">{t('missing.hint')}</p>
      <ListSection
        label={t('missing.title')}
        list={list}
        columns={[
          { title: t('code.label'), render: (_, row) => name(row) },
          { title: t('missing.count'), align: 'end', render: (_, row) => alarms(row) },
          {
            title: t('missing.devices'),
            align: 'end',
            render: (_, { devices }) => devices.toLocaleString('en-US'),
          },
          { title: t('missing.document'), align: 'end', render: (_, row) => write(row) },
        ]}
        empty={t('missing.empty')}
        compact={(row) => (
          <ListCard title={name(row)} aside={write(row)}>
            <CardLine>
              {alarms(row)}
              <span>{t('missing.deviceCount', { count: row.devices })}</span>
            </CardLine>
          </ListCard>
        )}
      />
    </>
  );
}
