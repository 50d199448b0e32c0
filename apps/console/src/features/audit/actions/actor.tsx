import type { ActionLogRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';

/** Who acted: a user, also through an application, or a visitor. */
export function Actor({ action }: { action: Pick<Static<typeof ActionLogRow>, 'userName' | 'applicationName'> }) {
  const { t } = useTranslation('audit');
  const user = action.userName || t('log.visitor');
  const { applicationName: application } = action;
  return <span>{application === null ? user : t('log.through', { user, application })}</span>;
}
