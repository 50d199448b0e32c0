import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import type { AliasDraft } from './alias-dialog.tsx';

/** Names reported by unregistered devices without an alias; nothing when there are none. */
export function UnmatchedNames({ onAssign }: { onAssign(alias: AliasDraft): void }) {
  const { t } = useTranslation('models');
  const names = useQuery(queryOf('listUnmatchedNames', {}, { quiet: true }));
  if (!names.data || names.data.items.length === 0) return null;
  return (
    <Panel title={t('alias.unmatched')}>
      <ul className="unmatched">
        {names.data.items.map(({ vendor, model, devices, lastSeenAt }) => (
          <li key={`${vendor}\n${model}`}>
            <strong>
              {vendor} {model}
            </strong>
            <span className="quiet">
              {t('alias.devices', { count: devices })} · <TimeAgo at={lastSeenAt} />
            </span>
            <Button
              size="small"
              aria-label={t('alias.assignOf', { name: `${vendor} ${model}` })}
              onClick={() => onAssign({ vendor, model })}
            >
              {t('alias.assign')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
