import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { Browser } from '../../../shared/ui/values/browser.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { pushStateOf, subscribe, thisBrowser, unsubscribe } from '../push/push.ts';
import css from './settings.module.css';

/** Turns on pushes in this browser, and lists the browsers of the user that receive them. */
export function PushPanel() {
  const { t } = useTranslation('messages');
  const browsers = useQuery(queryOf('listPushBrowsers', {}, { quiet: true }));
  const changed = () => refresh('listPushBrowsers', 'readMessageSettings', 'explainInbox');
  const adding = useMutation({
    mutationFn: subscribe,
    async onSuccess(allowed) {
      if (allowed) toast.success(t('push.added'));
      await changed();
    },
  });
  const removing = useMutation({ mutationFn: unsubscribe, onSuccess: changed });
  if (!browsers.data) return null;
  const { items } = browsers.data;
  const state = pushStateOf(items);
  const error = adding.error ?? removing.error;
  return (
    <Panel title={t('push.title')}>
      <p>{t(`push.states.${state}`)}</p>
      {state === 'off' && (
        <Button loading={adding.isPending} onClick={() => adding.mutate()}>
          {t('push.do')}
        </Button>
      )}
      {error && <ErrorNote text={error instanceof ApiProblem ? error.message : t('push.failed')} />}
      {items.length > 0 && (
        <ul className={`row-list ${css.mutes}`} aria-label={t('push.browsers')}>
          {items.map(({ id, userAgent, createdAt }) => (
            <li key={id}>
              <Browser userAgent={userAgent} />
              <span className="quiet">
                {id === thisBrowser() ? t('push.this') : t('push.since')} <ExactTime at={createdAt} />
              </span>
              <Button size="small" disabled={removing.isPending} onClick={() => removing.mutate(id)}>
                {t('push.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">{t('push.note')}</p>
    </Panel>
  );
}
