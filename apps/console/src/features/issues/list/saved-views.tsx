import { DownOutlined } from '@ant-design/icons';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call, type InputOf } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { MenuButton } from '../../../shared/ui/menu/menu-button.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import css from './issues.module.css';

type View = Answer<'listIssueViews'>['items'][number];
type ViewFilters = InputOf<'createIssueView'>['body']['filters'];
/** The length of the name of a view. */
const NAME_LENGTH = 60;

interface Props {
  /** the current filters, which can be saved */
  filters: ViewFilters;
  onChoose(filters: ViewFilters): void;
}

/** The saved views of the user: filters under a name, to be applied, saved and deleted. */
export function SavedViews({ filters, onChoose }: Props) {
  const { t } = useTranslation('issues');
  const [dialog, setDialog] = useState<'save' | 'delete' | null>(null);
  const query = useQuery(queryOf('listIssueViews', {}, { quiet: true }));
  const views = query.data?.items ?? [];
  const current = views.find((view) => sameFilters(view.filters, filters));
  const close = () => setDialog(null);
  return (
    <>
      <MenuButton
        icon={<DownOutlined aria-hidden="true" />}
        iconPlacement="end"
        menu={{
          selectedKeys: current ? [String(current.id)] : [],
          items: [
            ...views.map((view) => ({
              key: String(view.id),
              label: view.name,
              onClick: () => onChoose(view.filters),
            })),
            ...(views.length > 0 ? [{ key: 'line', type: 'divider' as const }] : []),
            { key: 'save', label: t('views.save'), onClick: () => setDialog('save') },
            ...(views.length > 0
              ? [{ key: 'delete', label: t('views.delete'), onClick: () => setDialog('delete') }]
              : []),
          ],
        }}
      >
        {current ? t('views.current', { name: current.name }) : t('views.title')}
      </MenuButton>
      {dialog === 'save' && <SaveView views={views} filters={filters} onClose={close} />}
      {dialog === 'delete' && <DeleteViews views={views} onClose={close} />}
    </>
  );
}

function SaveView({ views, filters, onClose }: { views: readonly View[]; filters: ViewFilters; onClose(): void }) {
  const { t } = useTranslation('issues');
  const { t: common } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  const trimmed = name.trim();
  const replaced = views.some((view) => view.name.toLowerCase() === trimmed.toLowerCase());
  return (
    <Confirm
      title={t('views.saveTitle')}
      ok={common('save')}
      ready={trimmed !== ''}
      entered={name}
      run={() => call('createIssueView', { body: { name: trimmed, filters } }, { quiet: true })}
      onDone={() => {
        void refresh('listIssueViews');
        toast.success(t('views.saved', { name: trimmed }));
        onClose();
      }}
      onClose={onClose}
    >
      <label htmlFor={id}>{t('views.name')}</label>
      <Input id={id} value={name} maxLength={NAME_LENGTH} onChange={(event) => setName(event.target.value)} />
      <p className="quiet">{t(replaced ? 'views.replaces' : 'views.hint')}</p>
    </Confirm>
  );
}

function DeleteViews({ views, onClose }: { views: readonly View[]; onClose(): void }) {
  const { t } = useTranslation('issues');
  const { t: common } = useTranslation();
  const deleting = useMutation({
    mutationFn: (id: number) => call('deleteIssueView', { params: { id } }),
    onSettled: () => void refresh('listIssueViews'),
  });
  return (
    <Dialog
      title={t('views.deleteTitle')}
      pending={deleting.isPending}
      onCancel={onClose}
      footer={
        <Button disabled={deleting.isPending} onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      {views.length === 0 && <EmptyState text={t('views.none')} />}
      <ul className={`row-list ${css.views}`}>
        {views.map((view) => (
          <li key={view.id}>
            <span>{view.name}</span>
            <Button
              size="small"
              danger
              loading={deleting.isPending && deleting.variables === view.id}
              aria-label={t('views.deleteOf', { name: view.name })}
              onClick={() => deleting.mutate(view.id)}
            >
              {t('views.deleteOk')}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** True when both select the same issues; the default tab may be omitted. */
function sameFilters(one: ViewFilters, other: ViewFilters): boolean {
  const textOf = ({ tab = 'open', ...rest }: ViewFilters) =>
    JSON.stringify(
      Object.entries({ ...rest, tab })
        .filter(([, value]) => value !== undefined)
        .sort(),
    );
  return textOf(one) === textOf(other);
}
