import type { StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { expect, test } from 'vitest';
import { flatStyle } from './flat-style.ts';

const style = (text: unknown): StyleSpecification =>
  ({
    version: 8,
    name: 'Streets',
    projection: { type: 'globe' },
    terrain: { source: 'heights' },
    sources: { streets: { type: 'vector', url: 'https://maps.example.com/streets.json' } },
    layers: [
      { id: 'ground', type: 'background' },
      { id: 'labels', type: 'symbol', source: 'streets', layout: { 'text-field': text, 'text-size': 12 } },
    ],
  }) as StyleSpecification;

function labelsOf(text: unknown, language: 'en' | 'zh'): unknown {
  const [, labels] = flatStyle(style(text), language).layers;
  const { 'text-field': label, ...rest } = (labels as SymbolLayerSpecification).layout ?? {};
  expect(rest).toEqual({ 'text-size': 12 });
  return label;
}

test('a style loses its globe and its terrain, and nothing else', () => {
  const { projection, terrain, ...rest } = style('{ref}');
  expect(flatStyle(style('{ref}'), 'en')).toEqual(rest);
});

test.each([
  ['en', '{name}', ['coalesce', ['get', 'name:en'], ['get', 'name_en'], ['concat', ['to-string', ['get', 'name']]]]],
  [
    'zh',
    '{name:latin}\n{name:nonlatin}',
    [
      ...['coalesce', ['get', 'name:zh-Hans'], ['get', 'name:zh'], ['get', 'name_zh']],
      ['concat', ['to-string', ['get', 'name:latin']], '\n', ['to-string', ['get', 'name:nonlatin']]],
    ],
  ],
  ['en', ['get', 'name'], ['coalesce', ['get', 'name:en'], ['get', 'name_en'], ['get', 'name']]],
] as const)('names are shown in the language %s: %j', (language, text, shown) => {
  expect(labelsOf(text, language)).toEqual(shown);
});

test.each([
  ['{ref}'],
  [['get', 'ref']],
  [undefined],
  // An expression with the zoom cannot be part of another one.
  [['step', ['zoom'], '', 8, ['get', 'name']]],
  [{ stops: [[8, '{name}']] }],
])('other labels remain: %j', (text) => {
  expect(labelsOf(text, 'zh')).toEqual(text);
});

test.each([{}, { layers: 'x' }, { layers: [null] }])('what is not a style is left to MapLibre: %j', (broken) => {
  expect(flatStyle(broken as unknown as StyleSpecification, 'en')).toEqual(broken);
});
