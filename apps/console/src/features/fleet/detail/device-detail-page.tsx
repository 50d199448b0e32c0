import type { DeviceDetail, PermissionKey } from '@chargehand/contract';
import { holdsAll } from '@chargehand/domain';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useDeviceStream } from '../../../shared/live/use-live.ts';
import { holderOf, useSession } from '../../../shared/session/session.ts';
import { DetailPage, TabbedPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { parentOf, parentPath } from '../devices/device-paths.ts';
import css from './detail.module.css';
import { DeviceHeadline } from './device-headline.tsx';
import { openSection } from './open-section.ts';

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
  /** the tabs, in order */
  tabs: readonly DeviceTab[];
}

/** A tab with one section or several, which are side by side in it. */
export interface DeviceTab {
  key: 'overview' | 'operations' | 'parameters' | 'sessions' | 'charts' | 'log' | 'details';
  /** default: every device has it */
  has?: (device: DeviceDetail) => boolean;
  sections: readonly DeviceSection[];
}

export interface DeviceSection {
  key:
    | 'runtime'
    | 'timeline'
    | 'alarms'
    | 'commands'
    | 'links'
    | 'parameters'
    | 'sessions'
    | 'tokens'
    | 'charts'
    | 'traffic'
    | 'protocol'
    | 'events'
    | 'logs'
    | 'config'
    | 'maintenance'
    | 'pictures'
    | 'issues';
  part: ComponentType<DevicePartProps>;
  /** the user needs it */
  permission?: PermissionKey;
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
  const permitted = usePermissionOf();
  const tabs = parts.tabs
    .filter(({ has }) => has?.(device) ?? true)
    .map((tab) => ({
      ...tab,
      sections: tab.sections.filter(({ permission }) => !permission || permitted(permission)),
    }));
  const open = openSection(tabs, search.get('tab'), search.get('section') ?? type ?? null);
  const { quickCommands: QuickCommands, remoteLink: RemoteLink, mute: Mute, hero: Hero } = parts;
  // On a phone, the drawing and the figures are above the overview only: other tabs begin on the first screen.
  const narrow = useMedia('(max-width: 760px)');
  const show = (tab: string, section: string) => setSearch({ tab, section }, { replace: true });

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
            onAlarms={() => show('overview', 'alarms')}
            onDeleted={() => navigate(parentPath(listtype, device), { replace: true })}
          />
          {(!narrow || open.tab.key === 'overview') && (
            <div className="device-hero">
              <Part>
                <Hero device={device} />
              </Part>
            </div>
          )}
        </>
      }
      opened={open.tab.key}
      tabs={tabs.map((tab) => ({
        key: tab.key,
        label: t(`tab.${tab.key}`),
        children: (
          <>
            {tab.sections.length > 1 && (
              <SectionNav
                tab={tab}
                chosen={open.section.key}
                device={device}
                onChoose={(section) => show(tab.key, section)}
              />
            )}
            <Part key={open.section.key}>
              <open.section.part device={device} />
            </Part>
          </>
        ),
      }))}
    />
  );
}

/** Whether the user has a permission, to be asked for several in a loop. */
function usePermissionOf(): (key: PermissionKey) => boolean {
  const holder = holderOf(useSession());
  return (key) => holdsAll(holder, [key]);
}

interface SectionNavProps extends DevicePartProps {
  tab: DeviceTab;
  chosen: DeviceSection['key'];
  onChoose(key: DeviceSection['key']): void;
}

/** The sections of a tab, side by side. */
function SectionNav({ tab, chosen, device, onChoose }: SectionNavProps) {
  const { t } = useTranslation('fleet');
  return (
    <nav className={css.sectionNav} aria-label={t(`tab.${tab.key}`)}>
      {tab.sections.map(({ key }) => (
        <button
          key={key}
          type="button"
          aria-current={key === chosen ? 'true' : undefined}
          onClick={() => onChoose(key)}
        >
          {t(`section.${key}`)}{' '}
          {key === 'alarms' && device.activeAlarms > 0 && (
            <span className={css.sectionCount}>{device.activeAlarms}</span>
          )}
        </button>
      ))}
    </nav>
  );
}

/** A part with its own loading state while its code is loaded. */
function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SkeletonRows rows={6} />}>{children}</Suspense>;
}
