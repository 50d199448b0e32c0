import type { DeviceModelDetail, EditedDeviceModel } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Tabs } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { LeaveGuard } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../models.module.css';
import { ModelActions } from './model-actions.tsx';
import { BasePart } from './parts/base-part.tsx';
import { CodesPart } from './parts/codes-part.tsx';
import { ControlsPart } from './parts/controls-part.tsx';
import { ItemsPart } from './parts/items-part.tsx';
import { RulesPart } from './parts/rules-part.tsx';
import { VersionsPart } from './parts/versions-part.tsx';

/** Not refetched automatically, so that unsaved edits are kept. */
const PARTS = ['base', 'configs', 'parameters', 'controls', 'rules', 'codes', 'versions'] as const;
type Part = (typeof PARTS)[number];

/** A device model: its own and inherited entries, and its versions. */
export function ModelDetail({ id, back }: { id: number; back: boolean }) {
  const { t } = useTranslation('models');
  const { search } = useLocation();
  const model = useQuery({ ...queryOf('readDeviceModel', { params: { id } }, { quiet: true }), ...EDITED });
  const modelName = useModelName();
  useTabLabel(model.data && modelName(model.data.name));
  const list = { pathname: '/manage/device-model', search };
  return (
    <div className="model-detail">
      {back && <Link to={list}>{t('model.back')}</Link>}
      {model.isError && !model.data ? (
        <ErrorState error={model.error} onRetry={() => void model.refetch()} />
      ) : !model.data ? (
        <SkeletonRows rows={12} />
      ) : (
        <ModelEditor key={`${id}-${model.data.version}-${model.dataUpdatedAt}`} model={model.data} alone={back} />
      )}
    </div>
  );
}

function ModelEditor({ model, alone }: { model: DeviceModelDetail; alone: boolean }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [draft, setDraft] = useState<Draft>(() => draftOf(model));
  const [uploading, setUploading] = useState(false);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const edits = model.may.edit;
  // Next to the list, the page has the title of the list.
  const Title = alone ? 'h1' : 'h2';
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(model));
  const save = useMutation({
    // Given the draft, because the function itself can be of an earlier rendering when a key is pressed.
    mutationFn: (body: Draft) => call('updateDeviceModel', { params: { id: model.id }, body }, { quiet: true }),
    onSuccess: async ({ version }, { name }) => {
      toast.success(t('model.saved', { name, version }));
      await refresh('readDeviceModel', 'listDeviceModels', 'listDeviceModelVersions', 'listDataItems');
    },
  });
  const problem = save.error instanceof ApiProblem ? save.error : null;
  // Somebody else saved a version in the meantime.
  const stale = problem?.field === 'version';
  const ready = dirty && draft.name.trim() !== '' && !save.isPending && !uploading;

  const saveByKey = useEffectEvent((event: KeyboardEvent) => {
    if (!ready || event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save.mutate(draft);
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => saveByKey(event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const parent = useQuery({
    ...queryOf('readDeviceModel', { params: { id: draft.parentId ?? 0 } }, { quiet: true }),
    enabled: edits && draft.parentId !== null,
  });
  const inherited =
    draft.parentId === null ? { configs: [], parameters: [], controls: [], rules: [] } : parent.data?.resolved;
  const wanted = search.get('part');
  const part: Part = PARTS.find((one) => one === wanted) ?? 'base';
  const origins = new Map([...(parent.data?.origins ?? []), ...model.origins].map(({ id, name }) => [id, name]));
  const waiting = parent.isError ? (
    <ErrorState error={parent.error} onRetry={() => void parent.refetch()} />
  ) : (
    <SkeletonRows rows={8} />
  );
  const items = (field: 'configs' | 'parameters') => {
    if (!edits)
      return <ItemsPart field={field} own={[]} inherited={model.resolved[field]} origins={origins} base={draft} />;
    if (!inherited) return waiting;
    const own = draft[field];
    const onChange = (next: typeof own) => change({ [field]: next });
    return (
      <ItemsPart
        field={field}
        own={own}
        inherited={inherited[field]}
        origins={origins}
        base={draft}
        onChange={onChange}
      />
    );
  };
  const controls = () => {
    if (!edits) return <ControlsPart own={[]} inherited={model.resolved.controls} origins={origins} base={draft} />;
    if (!inherited) return waiting;
    const onChange = (next: EditedDeviceModel['controls']) => change({ controls: next });
    return (
      <ControlsPart
        own={draft.controls}
        inherited={inherited.controls}
        origins={origins}
        base={draft}
        onChange={onChange}
      />
    );
  };

  const rules = () => {
    const configs = { own: draft.configs, inherited: inherited?.configs ?? [] };
    if (!edits) {
      const described = { own: [], inherited: model.resolved.configs };
      return <RulesPart own={[]} inherited={model.resolved.rules} configs={described} origins={origins} />;
    }
    if (!inherited) return waiting;
    const onChange = (next: typeof draft.rules) => change({ rules: next });
    return (
      <RulesPart
        own={draft.rules}
        inherited={inherited.rules}
        configs={configs}
        origins={origins}
        onChange={onChange}
      />
    );
  };

  return (
    <>
      <header className={css.modelHeader}>
        <div>
          <Title className="model-title">
            {model.iconKey !== null && <Emblem of={model.iconKey} name={modelName(model.name)} size={28} />}
            {modelName(model.name)}
          </Title>
          <p className="quiet">
            {t('model.version', { version: model.version })}
            {model.changedBy !== '' && (
              <>
                {' · '}
                {model.changedBy} <ExactTime at={model.changedAt} />
              </>
            )}
            {' · '}
            <Link to={`/manage/device/list?deviceModelId=${model.id}`}>
              {t('model.devices', { count: model.devices })}
            </Link>
          </p>
        </div>
        <div className="field-row">
          {edits && (
            <>
              <Button disabled={!dirty || save.isPending} onClick={() => setDraft(draftOf(model))}>
                {common('discard')}
              </Button>
              <Button type="primary" disabled={!ready} loading={save.isPending} onClick={() => save.mutate(draft)}>
                {common('save')}
              </Button>
            </>
          )}
          <ModelActions model={model} dirty={dirty} />
        </div>
      </header>
      {problem && (
        <div className="error-note field-row" role="alert">
          <span>{problem.message}</span>
          {stale && (
            <Button size="small" onClick={() => void refresh('readDeviceModel')}>
              {t('model.reload')}
            </Button>
          )}
        </div>
      )}
      <Tabs
        activeKey={part}
        destroyOnHidden
        more={{ trigger: ['click'] }}
        tabBarGutter={20}
        onChange={(next) =>
          setSearch(
            (before) => {
              const after = new URLSearchParams(before);
              after.set('part', next);
              return after;
            },
            { replace: true },
          )
        }
        items={[
          {
            key: 'base',
            label: t('part.base'),
            children: (
              <BasePart model={model} draft={draft} onChange={edits ? change : undefined} onBusy={setUploading} />
            ),
          },
          {
            key: 'configs',
            label: t('part.configs', { count: model.resolved.configs.length }),
            children: items('configs'),
          },
          {
            key: 'parameters',
            label: t('part.parameters', { count: model.resolved.parameters.length }),
            children: items('parameters'),
          },
          {
            key: 'controls',
            label: t('part.controls', { count: model.resolved.controls.length }),
            children: controls(),
          },
          { key: 'rules', label: t('part.rules', { count: model.resolved.rules.length }), children: rules() },
          { key: 'codes', label: t('part.codes'), children: <CodesPart modelId={model.id} edits={edits} /> },
          { key: 'versions', label: t('part.versions'), children: <VersionsPart id={model.id} /> },
        ]}
      />
      <LeaveGuard active={dirty} />
    </>
  );
}

type Draft = EditedDeviceModel & Required<Pick<EditedDeviceModel, 'rules'>>;

function draftOf(model: DeviceModelDetail): Draft {
  const { name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey, version, own } = model;
  const { parameterReadLevel, parameterWriteLevel, controlLevel, silenceSeconds } = model;
  return {
    ...{ version, name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey },
    ...{ protocol: model.protocol, connectorCount: model.connectorCount },
    ...{ parameterReadLevel, parameterWriteLevel, controlLevel, silenceSeconds, ...own },
  };
}
