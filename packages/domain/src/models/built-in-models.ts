import type { Bilingual } from './device-models.ts';

/** The Chinese names of the built-in device models, by their stored English names. */
export const BUILT_IN_MODELS = {
  'Generic OCPP 1.6 pile': '通用 OCPP 1.6 充电桩',
  'Off-spec OCPP 1.6 pile': '非标 OCPP 1.6 充电桩',
  'Generic OCPP 2.0.1 pile': '通用 OCPP 2.0.1 充电桩',
  'V2G pile': 'V2G 充电桩',
  'Home storage unit': '家用储能设备',
} as const;

const CHINESE: ReadonlyMap<string, string> = new Map(Object.entries(BUILT_IN_MODELS));
const STORED: ReadonlyMap<string, string> = new Map(
  Object.entries(BUILT_IN_MODELS).map(([en, zh]) => [zh.toLowerCase(), en]),
);

/** The name of a device model in both languages. A model that a user named or renamed has the same name in both. */
export function modelNames(name: string): Bilingual {
  return { en: name, zh: CHINESE.get(name) ?? name };
}

/** The stored name of a device model, from its name in either language. */
export function storedModelName(name: string): string {
  return STORED.get(name.trim().toLowerCase()) ?? name;
}

/** The stored names of the models whose Chinese name contains a text. */
export function modelsWithChinese(text: string): string[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? [] : [...STORED].filter(([zh]) => zh.includes(wanted)).map(([, en]) => en);
}
