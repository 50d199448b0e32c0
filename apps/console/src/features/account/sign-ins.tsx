import type { Account } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Browser } from '../../shared/ui/values/browser.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './account.module.css';
import { ShortTable } from './short-table.tsx';

type SignIn = Account['signIns'][number];

/** The latest sign-in attempts of this account, so that the user can notice unknown ones. */
export function SignIns({ signIns }: { signIns: readonly SignIn[] }) {
  const { t } = useTranslation('account');
  return (
    <Panel title={t('signIns.title')}>
      <ShortTable<SignIn>
        label={t('signIns.title')}
        rows={signIns}
        empty={<EmptyState text={t('signIns.none')} />}
        compact={(signIn) => (
          <div className={css.myRow}>
            <ExactTime at={signIn.at} />
            <Outcome succeeded={signIn.succeeded} />
            <span className="quiet">
              <span className="mono">{signIn.address}</span> · <Browser userAgent={signIn.userAgent} />
            </span>
          </div>
        )}
        columns={[
          { title: t('signIns.at'), render: (_, { at }) => <ExactTime at={at} /> },
          {
            title: t('signIns.result'),
            render: (_, { succeeded }) => <Outcome succeeded={succeeded} />,
          },
          { title: t('sessions.browser'), render: (_, { userAgent }) => <Browser userAgent={userAgent} /> },
          { title: t('sessions.address'), render: (_, { address }) => <span className="mono">{address}</span> },
        ]}
      />
    </Panel>
  );
}

function Outcome({ succeeded }: { succeeded: boolean }) {
  const { t } = useTranslation('account');
  return (
    <Tag tone={succeeded ? 'idle' : 'faulted'} glyph={succeeded ? 'check' : 'cross'}>
      {succeeded ? t('signIns.succeeded') : t('signIns.refused')}
    </Tag>
  );
}
