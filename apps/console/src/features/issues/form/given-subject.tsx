import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import css from './form.module.css';
import type { KnownSubject, Subject } from './issue-subject.ts';
import { OpenIssueNote } from './open-issue-note.tsx';

/** What a new issue is about, what is kept with it, and the open issue that exists already. */
export function GivenSubject({ subject, known }: { subject: Subject; known: KnownSubject }) {
  const { t } = useTranslation('issue');
  const path = pathOf(subject);
  const name = known.name ?? t('form.unknown');
  const ofDevice = subject.kind !== 'site' && subject.kind !== 'customer';
  return (
    <div className={`${css.subject} form-wide`}>
      <p>
        <span className="quiet">{t(`form.about.${subject.kind}`)}</span>{' '}
        <strong>{path === null ? name : <Link to={path}>{name}</Link>}</strong>
      </p>
      {ofDevice && <p className="quiet">{t('form.evidence')}</p>}
      {subject.kind === 'alarm' && <OpenIssueNote of={{ alarmId: subject.id }} />}
      {subject.kind === 'execution' && <OpenIssueNote of={{ executionId: subject.id }} />}
    </div>
  );
}

function pathOf(subject: Subject): string | null {
  switch (subject.kind) {
    case 'device':
    case 'site':
    case 'customer':
      return `/manage/${subject.kind}/detail/${subject.id}`;
    case 'alarm':
      return `/manage/device/alarms?state=all&alarm=${subject.id}`;
    case 'execution':
      return subject.deviceId === null ? null : `/manage/device/detail/${subject.deviceId}`;
  }
}
