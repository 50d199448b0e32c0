import type { LinkPolicyValues } from '@chargehand/contract';
import { DEFAULT_ZONE } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryClient, queryOf, refresh } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { LeaveGuard } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../links.module.css';

/** Suggested when hours are switched on. */
const OFFICE = { from: '08:00', until: '18:00' };
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The rules of a customer for links to its devices. */
export function LinkPolicy({ customerId, mayEdit }: { customerId: number; mayEdit: boolean }) {
  const query = queryOf('readLinkPolicy', { params: { id: customerId } }, { quiet: true });
  const policy = useQuery({ ...query, ...(mayEdit && EDITED) });
  if (policy.data) return <Rules customerId={customerId} saved={policy.data} mayEdit={mayEdit} />;
  if (policy.isError) return <ErrorState error={policy.error} onRetry={() => void policy.refetch()} />;
  return <SkeletonRows rows={5} />;
}

interface Props {
  customerId: number;
  saved: LinkPolicyValues;
  mayEdit: boolean;
}

function Rules({ customerId, saved, mayEdit }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const id = useId();
  const [values, setValues] = useEntered(saved, (policy) => policy);
  const save = useMutation({
    mutationFn: () => call('setLinkPolicy', { params: { id: customerId }, body: values }, { quiet: true }),
    onSuccess: (stored) => {
      toast.success(t('policy.saved'));
      queryClient.setQueryData(queryOf('readLinkPolicy', { params: { id: customerId } }).queryKey, stored);
      void refresh('readLinkOptions');
    },
  });
  const { secondPerson, hours, web } = values;
  const dirty = JSON.stringify(values) !== JSON.stringify(saved);
  const complete = hours === null || (CLOCK.test(hours.from) && CLOCK.test(hours.until));
  const change = (next: Partial<LinkPolicyValues>) => setValues({ ...values, ...next });
  return (
    <Panel title={t('policy.title')}>
      <LeaveGuard active={dirty && !save.isPending} />
      <div className="stack">
        <p className="quiet">{t('policy.note')}</p>
        <div className={css.rule}>
          <Checkbox
            checked={secondPerson}
            disabled={!mayEdit}
            aria-describedby={`${id}-second`}
            onChange={({ target }) => change({ secondPerson: target.checked })}
          >
            {t('policy.secondPerson')}
          </Checkbox>
          <p id={`${id}-second`} className="quiet">
            {t('policy.secondPersonNote')}
          </p>
        </div>
        <div className={css.rule}>
          <Checkbox
            checked={hours !== null}
            disabled={!mayEdit}
            aria-describedby={`${id}-hours`}
            onChange={({ target }) => change({ hours: target.checked ? (saved.hours ?? OFFICE) : null })}
          >
            {t('policy.hours')}
          </Checkbox>
          <p id={`${id}-hours`} className="quiet">
            {t('policy.hoursNote')}
          </p>
        </div>
        {hours && (
          <fieldset className={css.hours} aria-label={t('policy.hours')}>
            {(['from', 'until'] as const).map((end) => (
              <span key={end} className="field-pair">
                <label htmlFor={`${id}-${end}`}>{t(`policy.${end}`)}</label>
                <Input
                  id={`${id}-${end}`}
                  type="time"
                  disabled={!mayEdit}
                  value={hours[end]}
                  onChange={({ target }) => change({ hours: { ...hours, [end]: target.value.slice(0, 5) } })}
                />
              </span>
            ))}
            <span className="quiet">{t('policy.zone', { zone: DEFAULT_ZONE })}</span>
            {hours.from > hours.until && complete && <span className="quiet">{t('policy.night')}</span>}
          </fieldset>
        )}
        <div className={css.rule}>
          <Checkbox
            checked={web}
            disabled={!mayEdit}
            aria-describedby={`${id}-web`}
            onChange={({ target }) => change({ web: target.checked })}
          >
            {t('policy.web')}
          </Checkbox>
          <p id={`${id}-web`} className="quiet">
            {t('policy.webNote')}
          </p>
        </div>
        <ErrorNote text={save.error instanceof ApiProblem ? save.error.message : null} />
        {mayEdit && (
          <div className="field-row">
            <Button
              type="primary"
              disabled={!dirty || !complete}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              {common('save')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
