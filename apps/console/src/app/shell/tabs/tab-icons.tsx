import {
  BellOutlined,
  BookOutlined,
  ExclamationCircleOutlined,
  FolderOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { type RouteIcon, RoutePicture } from '../icons.tsx';

/** The icons of areas that are not in the sidebar, by the first segment of their paths. */
const OTHERS = {
  issue: ExclamationCircleOutlined,
  docs: BookOutlined,
  attach: FolderOutlined,
  message: BellOutlined,
  system: SettingOutlined,
  application: SettingOutlined,
  token: SettingOutlined,
};
/** The icons of the sidebar, by the first segment of their paths. */
const AREAS: Readonly<Record<string, RouteIcon>> = {
  ...{ home: 'home', site: 'site', device: 'device', role: 'role', 'config-model': 'configModel' },
  ...{ 'device-model': 'deviceModel', 'device-model-alias': 'deviceModel', 'device-model-firmware': 'deviceModel' },
  ...{ logs: 'logs', customer: 'customer', user: 'user', my: 'user', welcome: 'home' },
};

/** The icon of the area to which a path below /manage belongs. */
export function TabIcon({ path }: { path: string }) {
  const area = path.split('/')[2] ?? '';
  const Other = area in OTHERS ? OTHERS[area as keyof typeof OTHERS] : null;
  return Other ? <Other aria-hidden="true" /> : <RoutePicture icon={AREAS[area]} />;
}
