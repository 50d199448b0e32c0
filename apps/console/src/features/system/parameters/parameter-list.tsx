import type { SystemParameterRow } from '@chargehand/contract';
import { isBrandingKey, isParameterKey, PARAMETER_GROUPS, systemParameter } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { BrandingDialog, type BrandingRow } from './branding-dialog.tsx';
import { BrandingValue } from './branding-value.tsx';
import { ChangeDialog, type NumberRow } from './change-dialog.tsx';
import { useParameterTexts } from './parameter-texts.ts';
import css from './parameters.module.css';

/** All parameters by group, each with its value and who changed it. */
export function ParameterList() {
  const { t } = useTranslation('system-parameters');
  const list = useQuery(queryOf('listSystemParameters', {}));
  const [changed, setChanged] = useState<NumberRow | BrandingRow | null>(null);
  if (!list.data) {
    return list.isError ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : <SkeletonRows />;
  }
  const { items } = list.data;
  const branding = items.filter(isBranding);
  return (
    <div className="stack">
      {PARAMETER_GROUPS.map((group) => (
        <Panel key={group} title={t(`groups.${group}.title`)}>
          <p className="quiet">{t(`groups.${group}.note`)}</p>
          <ul className={`plain-list ${css.rows}`}>
            {items
              .filter(isNumber)
              .filter(({ key }) => systemParameter(key).group === group)
              .map((row) => (
                <Row key={row.key} row={row} onChange={() => setChanged(row)} />
              ))}
          </ul>
        </Panel>
      ))}
      <Panel title={t('groups.branding.title')}>
        <p className="quiet">{t('groups.branding.note')}</p>
        <ul className={`plain-list ${css.rows}`}>
          {branding.map((row) => (
            <Row key={row.key} row={row} onChange={() => setChanged(row)} />
          ))}
        </ul>
      </Panel>
      {changed && isNumber(changed) && <ChangeDialog row={changed} onClose={() => setChanged(null)} />}
      {changed && isBranding(changed) && <BrandingDialog row={changed} onClose={() => setChanged(null)} />}
    </div>
  );
}

const isNumber = (row: SystemParameterRow): row is NumberRow => isParameterKey(row.key);
const isBranding = (row: SystemParameterRow): row is BrandingRow => isBrandingKey(row.key);

function Row({ row, onChange }: { row: SystemParameterRow; onChange(): void }) {
  const { t } = useTranslation('system-parameters');
  const texts = useParameterTexts();
  const name = texts.label(row.key);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>{texts.help(row.key)}</p>
      </div>
      <div className={css.value}>
        <span>
          <BrandingValue name={row.key} value={row.value} />
        </span>
        <span className="quiet">
          {row.changed ? t('changedBy', { user: row.changedBy ?? '' }) : t('isDefault')}
          {row.changed && row.changedAt !== null && (
            <>
              {' · '}
              <TimeAgo at={row.changedAt} />
            </>
          )}
        </span>
      </div>
      <Button aria-label={t('changeOne', { name })} onClick={onChange}>
        {t('change')}
      </Button>
    </li>
  );
}
