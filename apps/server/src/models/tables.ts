import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    item_groups: ItemGroupsTable;
    data_items: DataItemsTable;
    device_models: DeviceModelsTable;
    device_model_items: DeviceModelItemsTable;
    device_model_controls: DeviceModelControlsTable;
    device_model_rules: DeviceModelRulesTable;
    device_model_versions: DeviceModelVersionsTable;
    device_model_aliases: DeviceModelAliasesTable;
    shipped_definitions: ShippedDefinitionsTable;
  }
}

interface ItemGroupsTable {
  id: GeneratedAlways<number>;
  name_en: string;
  name_zh: string;
  position: number;
  created_at: Generated<Date>;
}

interface DataItemsTable {
  id: GeneratedAlways<number>;
  key: string;
  name_en: string;
  name_zh: string;
  group_id: number;
  type: number;
  range: string;
  unit: string;
  position: number;
  created_at: Generated<Date>;
}

interface DeviceModelsTable {
  id: GeneratedAlways<number>;
  name: string;
  type: number;
  parent_id: number | null;
  vendor: Generated<string>;
  tolerant: Generated<boolean>;
  protocol: Generated<string | null>;
  connector_count: Generated<number | null>;
  silence_seconds: Generated<number | null>;
  parameter_read_level: Generated<number>;
  parameter_write_level: Generated<number>;
  control_level: Generated<number>;
  created_at: Generated<Date>;
  version: Generated<number>;
  ssh_support: Generated<boolean>;
  web_support: Generated<boolean>;
  image_key: Generated<string | null>;
  icon_key: Generated<string | null>;
  changed_by: Generated<string>;
  changed_at: Generated<Date>;
}

interface DeviceModelItemsTable {
  device_model_id: number;
  kind: string;
  data_item_id: number;
  type: number;
  removed: boolean;
  group_id: number | null;
  range: string | null;
  unit: string | null;
  priority: number;
  read_level: number;
  write_level: number;
  batch: boolean;
  secret: Generated<boolean>;
}

interface DeviceModelControlsTable {
  device_model_id: number;
  control_type: number;
  removed: boolean;
  name_en: string;
  name_zh: string;
  level: number;
  write_level: number;
  param1_en: string | null;
  param1_zh: string | null;
  param2_en: string | null;
  param2_zh: string | null;
  reading: string | null;
  precondition: string | null;
}

interface DeviceModelRulesTable {
  device_model_id: number;
  code: string;
  removed: boolean;
  enabled: boolean;
  name_en: string;
  name_zh: string;
  kind: string;
  level: string;
  data_item_id: number;
  type: number;
  connector: number | null;
  condition: string;
  low: number | null;
  high: number | null;
  named_values: string[];
  hysteresis: number;
  duration_seconds: number;
}

interface DeviceModelVersionsTable {
  device_model_id: number;
  version: number;
  at: Generated<Date>;
  changed_by: string;
  description: Json;
}

interface DeviceModelAliasesTable {
  id: GeneratedAlways<number>;
  device_model_id: number;
  vendor: string;
  model: string;
  created_at: Generated<Date>;
}

interface ShippedDefinitionsTable {
  key: string;
  shipped_at: Generated<Date>;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  item_groups_name_en: ['itemGroupNameExists', 'name'],
  item_groups_name_zh: ['itemGroupNameExists', 'name'],
  data_items_key: ['itemKeyExists', 'key'],
  data_items_group_id_fkey: { unknown: ['itemGroupUnknown', 'groupId'], inUse: ['itemGroupInUse'] },
  device_model_items_group_id_fkey: { unknown: ['itemGroupUnknown', 'configs'], inUse: ['itemGroupInUse'] },
  device_model_items_item: { unknown: ['dataItemUnknown', 'configs'], inUse: ['dataItemInUse', 'type'] },
  device_model_rules_item: { unknown: ['dataItemUnknown', 'rules'], inUse: ['dataItemInUse', 'type'] },
  device_models_name: ['deviceModelNameExists', 'name'],
  device_models_tree: ['deviceModelCircle', 'parentId'],
  devices_device_model_id_fkey: ['deviceModelInUse'],
  device_models_parent_id_fkey: ['deviceModelHasChildren'],
  device_model_aliases_name: ['modelAliasExists', 'model'],
  device_model_aliases_device_model_id_fkey: ['deviceModelUnknown', 'deviceModelId'],
} satisfies Explanations;
