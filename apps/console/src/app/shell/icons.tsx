import {
  ApartmentOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BlockOutlined,
  HomeOutlined,
  SafetyCertificateOutlined,
  TeamOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

const ICONS = {
  home: HomeOutlined,
  site: ApartmentOutlined,
  device: ThunderboltOutlined,
  role: SafetyCertificateOutlined,
  configModel: AppstoreOutlined,
  deviceModel: BlockOutlined,
  logs: AuditOutlined,
  customer: BankOutlined,
  user: TeamOutlined,
} satisfies Record<string, ComponentType>;

export type RouteIcon = keyof typeof ICONS;

/** The icon of a sidebar entry. */
export function RoutePicture({ icon }: { icon: RouteIcon | undefined }) {
  const Icon = icon ? ICONS[icon] : null;
  return Icon ? <Icon aria-hidden="true" /> : <span className="sidebar-dot" aria-hidden="true" />;
}
