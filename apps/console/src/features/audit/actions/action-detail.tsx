import type { ActionLogRow } from '@chargehand/contract';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Static } from 'typebox';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { Actor } from './actor.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { GroupEntries } from './group-entries.tsx';
import { ObjectLink } from './object-link.tsx';
import { useObjectWord } from './use-object-word.ts';

type Action = Static<typeof ActionLogRow>;

/** An entry of the action log: the user, the operation, the object, and the changes. */
export function ActionDetail({ action, onClose }: { action: Action | null; onClose(): void }) {
  const { t } = useTranslation('audit');
  const objectWord = useObjectWord();
  return (
    <Drawer
      open={action !== null}
      onClose={onClose}
      size={620}
      title={action ? `${t(`operations.${action.operation}`)} · ${action.objectName}` : ''}
    >
      {action && (
        <div className="stack">
          <Describe
            items={[
              { key: 'at', label: t('log.at'), value: <ExactTime at={action.at} /> },
              { key: 'user', label: t('log.user'), value: <Actor action={action} /> },
              { key: 'address', label: t('log.address'), value: <span className="mono">{action.address}</span> },
              {
                key: 'object',
                label: objectWord(action.objectType),
                value:
                  action.together > 1 ? (
                    t('log.entries', { count: action.together })
                  ) : (
                    <ObjectLink type={action.objectType} id={action.objectId} name={action.objectName} />
                  ),
              },
            ]}
          />
          {action.together > 1 ? (
            <GroupEntries key={action.id} action={action} />
          ) : (
            <>
              <Link to={`/manage/logs/action/${action.objectType}/${encodeURIComponent(action.objectId)}`}>
                {t('log.historyOf', { name: action.objectName })}
              </Link>
              <DifferenceTable before={action.before} after={action.after} />
            </>
          )}
        </div>
      )}
    </Drawer>
  );
}
