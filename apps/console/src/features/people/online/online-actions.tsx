import type { OnlineRow } from '@chargehand/contract';
import { mayEditUsers } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../../shared/session/use-user.ts';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import type { Kick } from './kick-dialog.tsx';

/** The actions of a session. The user's own sessions are ended on the account page. */
export function OnlineActions({ row, onKick }: { row: OnlineRow; onKick(kick: Kick): void }) {
  const { t } = useTranslation('online');
  const { user: reader, info } = useUser();
  if (reader.id === row.userId) return <span className="quiet">{t('own')}</span>;
  const levels = info.role.levels as Parameters<typeof mayEditUsers>[0];
  if (reader.readOnly || !mayEditUsers(levels) || (row.root && !reader.root)) return null;
  const items = [
    { key: 'session', label: t('kick.session'), onClick: () => onKick({ row, all: false }) },
    { key: 'all', label: t('kick.all'), onClick: () => onKick({ row, all: true }) },
  ];
  return <MoreMenu items={items} label={t('actionsOf', { name: row.userName, address: row.address })} />;
}
