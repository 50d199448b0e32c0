import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';

type Language = 'en' | 'zh';

/** The names of a feature in a language, in the schemas of OpenMapTiles, Protomaps and Shortbread. */
const NAMES: Record<Language, readonly string[]> = {
  en: ['name:en', 'name_en'],
  zh: ['name:zh-Hans', 'name:zh', 'name_zh'],
};

/**
 * A style as a flat map in the Mercator projection, which the markers above it have, with names in the user's language
 * where its data contains them.
 */
export function flatStyle(
  { projection, terrain, ...style }: StyleSpecification,
  language: Language,
): StyleSpecification {
  // What is not a style is passed on: MapLibre reports it.
  if (!Array.isArray(style.layers)) return style;
  return { ...style, layers: style.layers.map((layer) => inLanguage(layer, language)) };
}

function inLanguage(layer: LayerSpecification, language: Language): LayerSpecification {
  if (layer?.type !== 'symbol') return layer;
  const name = nameOf(layer.layout?.['text-field']);
  if (name === null) return layer;
  const names = NAMES[language].map((key): ExpressionSpecification => ['get', key]);
  return { ...layer, layout: { ...layer.layout, 'text-field': ['coalesce', ...names, name] } };
}

/**
 * The text of labels that are names, as an expression; null for other labels, such as numbers of roads, and for texts
 * that depend on the zoom, which must remain as they are.
 */
function nameOf(text: unknown): ExpressionSpecification | null {
  const written = JSON.stringify(text) ?? '';
  if (Array.isArray(text)) {
    return /\["get","name\b/.test(written) && !written.includes('["zoom"]') ? (text as ExpressionSpecification) : null;
  }
  if (typeof text !== 'string' || !/\{name\b/.test(text)) return null;
  const parts = text.split(/(\{[^{}]+\})/).filter((part) => part !== '');
  return [
    'concat',
    ...parts.map((part): string | ExpressionSpecification =>
      part.startsWith('{') ? ['to-string', ['get', part.slice(1, -1)]] : part,
    ),
  ];
}
