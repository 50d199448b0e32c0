import type { DeviceDetail } from '@chargehand/contract';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useDeviceStream } from '../../../shared/live/use-live.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DetailPage, TabbedPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { parentOf, parentPath } from '../devices/device-paths.ts';
import css from './detail.module.css';
import { DeviceHeadline } from './device-headline.tsx';

/** Only for phones: Ant Design's list is a tenth of the page. */
const SectionList = lazy(() => loadChunk(() => import('./section-list.tsx')));

/** The props of a part of the page: the device. */
export interface DevicePartProps {
  device: DeviceDetail;
}

/** The parts of the page from other features, which the application provides. */
export interface DeviceParts {
  /** the most frequent commands */
  quickCommands: ComponentType<DevicePartProps>;
  /** what the device is doing: its drawing, state in words, open alarm and figures */
  hero: ComponentType<DevicePartProps>;
  /** the button to mute messages about the device */
  mute: ComponentType<DevicePartProps>;
  /** the button that requests a remote link */
  remoteLink: ComponentType<DevicePartProps>;
  /** the tab Remote Operations */
  operations: ComponentType<DevicePartProps>;
  /** the tab Issues */
  issues: ComponentType<DevicePartProps>;
  /** the tab Remote links */
  links: ComponentType<DevicePartProps>;
  /** the sections of the tab Device Details, in order */
  sections: readonly DeviceSection[];
}

export interface DeviceSection {
  key:
    | 'runtime'
    | 'timeline'
    | 'config'
    | 'alarms'
    | 'charts'
    | 'events'
    | 'traffic'
    | 'sessions'
    | 'tokens'
    | 'maintenance'
    | 'pictures'
    | 'logs'
    | 'protocol';
  part: ComponentType<DevicePartProps>;
}

/** The page of a device: problems, their place and age, and actions. */
export function DeviceDetailPage({ parts }: { parts: DeviceParts }) {
  const { id: param, listtype } = useParams();
  const id = Number(param);
  // A new key for each device, so that unsaved input for one device is never shown and sent for another.
  return (
    <DetailPage
      key={id}
      read="readDevice"
      input={{ params: { id } }}
      nameOf={({ name }) => name}
      parentOf={(device) => parentOf(listtype, device)}
    >
      {(device) => <DevicePage device={device} parts={parts} />}
    </DetailPage>
  );
}

function DevicePage({ device, parts }: DevicePartProps & { parts: DeviceParts }) {
  const { t } = useTranslation('fleet');
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  useDeviceStream(device.id);
  const { listtype, type } = useParams();
  const wanted = search.get('section') ?? type;
  const section = parts.sections.find(({ key }) => key === wanted) ?? parts.sections[0]!;
  const { quickCommands: QuickCommands, remoteLink: RemoteLink, mute: Mute } = parts;
  const { operations: Operations, issues: Issues, links: Links, hero: Hero } = parts;
  const seesIssues = usePermitted(['auth_issue_list']);
  const show = (section: string) => setSearch({ tab: 'details', section }, { replace: true });

  return (
    <TabbedPage
      headline={
        <>
          <DeviceHeadline
            device={device}
            commands={
              <>
                <QuickCommands device={device} />
                <RemoteLink device={device} />
                <Mute device={device} />
              </>
            }
            onAlarms={() => show('alarms')}
            onDeleted={() => navigate(parentPath(listtype, device), { replace: true })}
          />
          <div className="device-hero">
            <Part>
              <Hero device={device} />
            </Part>
          </div>
        </>
      }
      tabs={[
        {
          key: 'details',
          label: t('tab.details'),
          children: (
            <>
              <SectionNav sections={parts.sections} chosen={section.key} device={device} onChoose={show} />
              <Part key={section.key}>
                <section.part device={device} />
              </Part>
            </>
          ),
        },
        {
          key: 'operations',
          label: t('tab.operations'),
          children: (
            <Part>
              <Operations device={device} />
            </Part>
          ),
        },
        seesIssues && {
          key: 'issues',
          label: t('tab.issues'),
          children: (
            <Part>
              <Issues device={device} />
            </Part>
          ),
        },
        {
          key: 'links',
          label: t('tab.links'),
          children: (
            <Part>
              <Links device={device} />
            </Part>
          ),
        },
      ]}
    />
  );
}

interface SectionNavProps extends DevicePartProps {
  sections: readonly DeviceSection[];
  chosen: DeviceSection['key'];
  onChoose(key: DeviceSection['key']): void;
}

/** The sections side by side, and in a list on a phone, which has no room for them. */
function SectionNav({ sections, chosen, device, onChoose }: SectionNavProps) {
  const { t } = useTranslation('fleet');
  const narrow = useMedia('(max-width: 760px)');
  const labelOf = (key: DeviceSection['key']) => (
    <>
      {t(`section.${key}`)}{' '}
      {key === 'alarms' && device.activeAlarms > 0 && <span className={css.sectionCount}>{device.activeAlarms}</span>}
    </>
  );
  return (
    <nav className={css.sectionNav} aria-label={t('tab.details')}>
      {narrow ? (
        <Suspense fallback={<div className={css.sectionList} />}>
          <SectionList
            value={chosen}
            options={sections.map(({ key }) => ({ value: key, label: labelOf(key) }))}
            onChange={(key) => onChoose(key as DeviceSection['key'])}
          />
        </Suspense>
      ) : (
        sections.map(({ key }) => (
          <button
            key={key}
            type="button"
            aria-current={key === chosen ? 'true' : undefined}
            onClick={() => onChoose(key)}
          >
            {labelOf(key)}
          </button>
        ))
      )}
    </nav>
  );
}

/** A part with its own loading state while its code is loaded. */
function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SkeletonRows rows={6} />}>{children}</Suspense>;
}
