import type { ExplainedType } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useExternal } from '../../../shared/lib/external.ts';
import { screens as knownScreens } from '../../../shared/lib/screens.ts';
import css from '../../../shared/ui/access/access.module.css';
import { ControlChoice, controlNamed, OF_CONTROLS } from '../../../shared/ui/access/control-choice.tsx';
import { ObjectChoice } from '../../../shared/ui/access/object-choice.tsx';
import { ResultSteps } from '../../../shared/ui/access/result-steps.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';

const TYPES = ['device', 'site', 'customer', 'user', 'document', 'attachment', 'folder', 'share', 'issue'] as const;
type ObjectType = (typeof TYPES)[number];

/**
 * Explains why a user may or may not do something: a route, a row, and the decision step by step. The question is
 * stored in the URL.
 */
export function ExplainPanel({ userId }: { userId: number }) {
  const screens = useExternal(knownScreens);
  const { t } = useTranslation('explain');
  const { t: routes } = useTranslation('routes');
  const locale = useLocale();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const route = search.get('route') ?? undefined;
  const objectType = TYPES.find((one) => one === search.get('objectType'));
  const objectId = Number(search.get('objectId')) || undefined;
  const kind = controlNamed(search.get('kind'));
  const interfaces = useQuery(queryOf('listExplainable', {}, { quiet: true }));
  const screen = screens.find((one) => one.path === route);

  const change = (patch: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const params = new URLSearchParams(before);
        for (const [name, value] of Object.entries(patch)) {
          if (value === undefined) params.delete(name);
          else params.set(name, value);
        }
        return params;
      },
      { replace: true },
    );
  const chooseRoute = (next: string | undefined) => {
    const wanted = interfaces.data?.items.find((one) => one.id === next)?.objectType;
    const known =
      wanted && wanted !== 'role' && wanted !== objectType ? { objectType: wanted, objectId: undefined } : {};
    change({ route: next, ...known });
  };

  const explanation = useQuery({
    ...queryOf(
      'explainAccess',
      {
        params: { id: userId },
        query: {
          ...(screen ? { keys: screen.keys.join(',') } : { endpoint: route }),
          ...(objectType && objectId ? { objectType: objectType as ExplainedType, objectId } : {}),
          ...(kind ? { kind } : {}),
        },
      },
      { quiet: true },
    ),
    enabled: route !== undefined,
    placeholderData: keepPreviousData,
  });

  return (
    <Panel title={t('why.title')}>
      <div className="stack">
        <div className={css.form}>
          <div className="menu-field">
            <label htmlFor={`${id}route`}>{t('why.route')}</label>
            <Select<string | undefined>
              id={`${id}route`}
              allowClear
              value={route}
              placeholder={t('why.routeHint')}
              showSearch={{ optionFilterProp: 'label' }}
              options={[
                {
                  label: t('why.screens'),
                  options: screens.map((one) => ({ value: one.path, label: `${routes(one.titleKey)} · ${one.path}` })),
                },
                {
                  label: t('why.interfaces'),
                  options: (interfaces.data?.items ?? []).map((one) => ({
                    value: one.id,
                    label: `${menuName(one, locale)} · ${one.method} ${one.url}`,
                  })),
                },
              ]}
              onChange={chooseRoute}
            />
          </div>
          <div className="menu-field">
            <label htmlFor={`${id}objectType`}>{t('why.object')}</label>
            <Select<ObjectType | undefined>
              id={`${id}objectType`}
              allowClear
              value={objectType}
              placeholder={t('why.objectHint')}
              options={TYPES.map((one) => ({ value: one, label: t(`objectType.${one}`) }))}
              onChange={(next) => change({ objectType: next, objectId: undefined })}
            />
          </div>
          {objectType && (
            <div className="menu-field">
              <label htmlFor={`${id}row`}>{t(`objectType.${objectType}`)}</label>
              <ObjectChoice
                key={objectType}
                id={`${id}row`}
                objectType={objectType}
                value={objectId}
                onChange={(next) => change({ objectId: next === undefined ? undefined : String(next) })}
              />
            </div>
          )}
          {(kind || explanation.data?.steps.some(({ reason }) => OF_CONTROLS.has(reason))) && (
            <div className="menu-field">
              <label htmlFor={`${id}kind`}>{t('why.control')}</label>
              <ControlChoice id={`${id}kind`} value={kind} onChange={(next) => change({ kind: next })} />
            </div>
          )}
        </div>
        {interfaces.isError && <ErrorState error={interfaces.error} onRetry={() => void interfaces.refetch()} />}
        {route === undefined ? (
          <p className="quiet">{t('why.hint')}</p>
        ) : explanation.isError ? (
          <ErrorState error={explanation.error} onRetry={() => void explanation.refetch()} />
        ) : (
          explanation.data && <ResultSteps explanation={explanation.data} />
        )}
      </div>
    </Panel>
  );
}
