import { TOKEN_POLICIES, type TokenPolicy } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './tokens.module.css';

const READS = {
  customer: 'readCustomerTokenPolicy',
  site: 'readSiteTokenPolicy',
  device: 'readDeviceTokenPolicy',
} as const;
const SETS = {
  customer: 'setCustomerTokenPolicy',
  site: 'setSiteTokenPolicy',
  device: 'setDeviceTokenPolicy',
} as const;
const INHERIT = 'inherit';

/** Who may charge at a place: which policy applies, where it is set, and how to change it here. */
export default function PolicyPanel({ place, id }: { place: keyof typeof READS; id: number }) {
  const { t } = useTranslation('tokens');
  const policy = useQuery(queryOf(READS[place], { params: { id } }, { quiet: true }));
  /** the choice that is not confirmed yet */
  const [next, setNext] = useState<TokenPolicy | null>();
  if (!policy.data) {
    const retry = () => void policy.refetch();
    return policy.isError ? <ErrorState error={policy.error} onRetry={retry} /> : <SkeletonRows rows={3} />;
  }
  const { own, setAt, setBy, applied, inherited, tokens, exceptions, mayEdit } = policy.data;
  const why = applied.level === 'default' ? t('policy.byDefault') : t(`policy.from.${applied.level}`);
  return (
    <Panel title={t('policy.title')}>
      <div className="stack">
        <p className={css.answer}>
          <strong>{t(`policy.applied.${applied.policy}`)}</strong> {why}
        </p>
        {applied.policy === 'known' && <p className="quiet">{t('policy.tokens', { count: tokens })}</p>}
        {mayEdit && (
          <Radio.Group
            className="stack"
            aria-label={t('policy.title')}
            value={(next === undefined ? own : next) ?? INHERIT}
            onChange={({ target }) => setNext(target.value === INHERIT ? null : (target.value as TokenPolicy))}
          >
            <Radio value={INHERIT}>
              {t(`policy.inherit.${place}`, { policy: t(`policy.names.${inherited.policy}`) })}
            </Radio>
            {TOKEN_POLICIES.map((one) => (
              <Radio key={one} value={one}>
                {t(`policy.names.${one}`)} <span className="quiet">{t(`policy.hints.${one}`)}</span>
              </Radio>
            ))}
          </Radio.Group>
        )}
        {next !== undefined && (
          <Confirm
            title={t(`policy.applied.${next ?? inherited.policy}`)}
            ok={t('policy.change')}
            run={() => call(SETS[place], { params: { id }, body: { tokenPolicy: next } }, { quiet: true })}
            onDone={() => {
              toast.success(t('policy.saved'));
              setNext(undefined);
              void refresh(...Object.values(READS), 'listDeviceTokenLists');
            }}
            onClose={() => setNext(undefined)}
          >
            <p>{t(`policy.effect.${next ?? inherited.policy}`, { count: tokens })}</p>
            {exceptions.length > 0 && <p>{t('policy.exceptionsKeep')}</p>}
          </Confirm>
        )}
        {setAt && (
          <p className="quiet">
            {t('policy.setBy', { user: setBy })} <ExactTime at={setAt} />
          </p>
        )}
        {exceptions.length > 0 && (
          <div>
            <p>{t('policy.exceptions')}</p>
            <ul className={css.exceptions}>
              {exceptions.map((one) => (
                <li key={`${one.level} ${one.id}`}>
                  <Link to={`/manage/${one.level}/detail/${one.id}`}>{one.name}</Link>:{' '}
                  {t(`policy.names.${one.policy}`)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}
