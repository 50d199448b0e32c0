import { formatSize, type Levels, levelSuffices } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import css from './attachments.module.css';
import { QuotaDialog } from './dialogs/quota-dialog.tsx';

/** The used part of the space from which the bar warns. */
const NEARLY_FULL = 0.9;
/** The level that is needed to set the space of a customer. */
const QUOTA_LEVEL = 1;

interface Props {
  /** whose space it is; null: of the files for all customers; undefined: the user's customer's */
  customer: { id: number; name: string } | null | undefined;
}

/** How much of the space of a customer is used. Those who may change it find the dialog here. */
export function QuotaBar({ customer }: Props) {
  const { t } = useTranslation('attachments');
  const { user, info } = useUser();
  const [changing, setChanging] = useState(false);
  const ofVendor = user.root || user.platformVendor;
  const query = customer === null ? { platform: true } : { customerId: customer?.id };
  // Users of customers do not see the space of the platform. Those of the platform see the files of all customers, whose
  // spaces are not one: the space of their own customer above them would not be the one that these files use.
  const enabled = ofVendor ? customer !== undefined : customer !== null;
  const { data } = useQuery({ ...queryOf('readQuota', { query }, { quiet: true }), enabled });
  if (!data || !enabled) return null;
  const text = t('quota', { used: formatSize(data.used), limit: formatSize(data.limit) });
  const mayChange =
    ofVendor &&
    customer !== null &&
    !user.readOnly &&
    levelSuffices((info.role.levels as Levels).attachment.write, QUOTA_LEVEL);
  return (
    <div className={css.quota}>
      {customer !== undefined && <span>{customer === null ? t('owner.platform') : customer.name}</span>}
      <meter
        min={0}
        max={data.limit || 1}
        high={data.limit * NEARLY_FULL}
        // The less is used the better: without it, a meter without space is green.
        optimum={0}
        value={data.used}
        aria-label={text}
      />
      <span className="quiet">{text}</span>
      {data.used >= data.limit && <p className="warning-note">{t('quotas.full')}</p>}
      {mayChange && (
        <div>
          <Button size="small" onClick={() => setChanging(true)}>
            {t('quotas.change')}
          </Button>
        </div>
      )}
      {changing && <QuotaDialog customerId={data.customerId ?? undefined} onClose={() => setChanging(false)} />}
    </div>
  );
}
