import type { DeviceDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'antd';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useDeviceStream } from '../../../shared/live/use-live.ts';
import { ErrorState } from '../../../shared/ui/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx';
import { DeviceHeadline } from './device-headline.tsx';
import './detail.css';

/** What a part of the page is given: the device as it stands. */
export interface DevicePartProps {
  device: DeviceDetail;
}

/** The parts of the page that other rooms bring; the application puts them together. */
export interface DeviceParts {
  /** the commands one wants at hand */
  quickCommands: ComponentType<DevicePartProps>;
  /** the tab Remote Operations */
  operations: ComponentType<DevicePartProps>;
  /** the sections of the tab Device Details, in their order */
  sections: readonly DeviceSection[];
  /** the tab Issues */
  issues: ComponentType;
}

export interface DeviceSection {
  key:
    | 'runtime'
    | 'config'
    | 'alarms'
    | 'charts'
    | 'events'
    | 'traffic'
    | 'sessions'
    | 'maintenance'
    | 'pictures'
    | 'logs'
    | 'protocol';
  part: ComponentType<DevicePartProps>;
}

const TABS = ['details', 'operations', 'issues'] as const;

/** One device: what is wrong, where, since when, and what one can do. */
export function DeviceDetailPage({ parts }: { parts: DeviceParts }) {
  const id = Number(useParams().id);
  // Another device is another page: nothing half entered for the one is still there, and sent, for the next.
  return <DevicePage key={id} id={id} parts={parts} />;
}

function DevicePage({ id, parts }: { id: number; parts: DeviceParts }) {
  const { t } = useTranslation('fleet');
  const params = useParams();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const device = useQuery({ ...queryOf('readDevice', { params: { id } }, { quiet: true }), enabled: id > 0 });
  // What was shown stays while the line is down, but not when the server says that there is no such device any more.
  const gone = device.error instanceof ApiProblem && device.error.kind === 'business';
  // Of a device that is not there, or not theirs, nobody is told anything.
  useDeviceStream(gone ? undefined : device.data?.id);
  useTabLabel(device.data?.name);

  if (!device.data || gone) {
    return (
      <div className="page">
        {device.isError || !(id > 0) ? (
          <ErrorState error={device.error} onRetry={() => void device.refetch()} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </div>
    );
  }

  const wanted = search.get('tab') ?? params.type;
  const tab = TABS.find((one) => one === wanted) ?? 'details';
  const section = parts.sections.find(({ key }) => key === search.get('section')) ?? parts.sections[0]!;
  const { quickCommands: QuickCommands, operations: Operations, issues: Issues } = parts;
  const show = (place: { tab: string; section?: string }) => setSearch(place, { replace: true });

  return (
    <div className="device-page">
      <DeviceHeadline
        device={device.data}
        commands={<QuickCommands device={device.data} />}
        onAlarms={() => show({ tab: 'details', section: 'alarms' })}
        onDeleted={() => navigate('/manage/device/list', { replace: true })}
      />
      <Tabs
        className="device-tabs"
        activeKey={tab}
        onChange={(key) => show({ tab: key })}
        destroyOnHidden
        items={[
          {
            key: 'details',
            label: t('tab.details'),
            children: (
              <>
                <SectionNav
                  sections={parts.sections}
                  chosen={section.key}
                  device={device.data}
                  onChoose={(key) => show({ tab: 'details', section: key })}
                />
                <Part key={section.key}>
                  <section.part device={device.data} />
                </Part>
              </>
            ),
          },
          {
            key: 'operations',
            label: t('tab.operations'),
            children: (
              <Part>
                <Operations device={device.data} />
              </Part>
            ),
          },
          { key: 'issues', label: t('tab.issues'), children: <Issues /> },
        ]}
      />
    </div>
  );
}

interface SectionNavProps extends DevicePartProps {
  sections: readonly DeviceSection[];
  chosen: DeviceSection['key'];
  onChoose(key: DeviceSection['key']): void;
}

/** The sections in one line, which a narrow window moves so that the chosen one is in it. */
function SectionNav({ sections, chosen, device, onChoose }: SectionNavProps) {
  const { t } = useTranslation('fleet');
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen moves the line
  useEffect(() => {
    button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  return (
    <nav className="section-nav" aria-label={t('tab.details')}>
      {sections.map(({ key }) => (
        <button
          key={key}
          ref={key === chosen ? button : undefined}
          type="button"
          aria-current={key === chosen ? 'true' : undefined}
          onClick={() => onChoose(key)}
        >
          {t(`section.${key}`)}
          {key === 'alarms' && device.activeAlarms > 0 && <span className="section-count">{device.activeAlarms}</span>}
        </button>
      ))}
    </nav>
  );
}

/** A part with its own place to wait in while its code is fetched. */
function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SkeletonRows rows={6} />}>{children}</Suspense>;
}
