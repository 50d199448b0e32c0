import type { CategoryRow, DocumentRow, Locale } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import type { Answer } from '../shared/api/client.ts';
import { sample, sampleRow } from './sample.ts';

const TITLE = 'Ground failure';
const SUMMARY = 'Stop charging and call an electrician.';

type State = DocumentRow['translations'][number]['state'];

/** The languages of a document with these states. */
export function translations(english: State, chinese: State): DocumentRow['translations'] {
  const of = (locale: Locale, state: State) => ({
    ...{ locale, state },
    updatedAt: state === 'missing' ? null : '2026-01-01T00:00:00Z',
  });
  return [of('en-US', english), of('zh-CN', chinese)];
}

/** A document of a list, in English and Chinese. */
export function documentRow(values: Partial<DocumentRow> = {}): DocumentRow {
  return sampleRow('listDocuments', {
    ...{ id: 7, name: 'ground-failure', title: TITLE, locale: 'en-US', categoryId: 1, enabled: true },
    ...{
      customerId: null,
      customer: null,
      readLevel: 5,
      writeLevel: 4,
      updatedBy: 'Ada',
      translations: translations('current', 'current'),
    },
    ...values,
  });
}

const heading = (text: string): ContentNode => ({
  type: 'heading',
  attrs: { level: 1 },
  content: [{ type: 'text', text }],
});
const paragraph = (text: string): ContentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const TEXT: DocumentContent = {
  type: 'doc',
  content: [
    ...[heading('Cause'), paragraph('Water in the cable.')],
    ...[heading('Repair'), paragraph('Replace the cable.')],
  ],
};

/** A document as readers see it: it explains the alarm code GroundFailure. */
export function documentDetail(values: Partial<Answer<'readDocument'>> = {}): Answer<'readDocument'> {
  return sample('readDocument', {
    ...documentRow(),
    ...{ type: 100, description: SUMMARY, body: TEXT, version: 1 },
    bindings: [{ key: 'GroundFailure', deviceModelId: null, model: null }],
    votes: { helped: 3, notHelped: 1, own: null },
    may: { edit: true },
    ...values,
  });
}

export function category(id: number, nameEn: string, nameZh: string, values: Partial<CategoryRow> = {}): CategoryRow {
  return { id, parentId: null, nameEn, nameZh, documents: 0, ...values };
}
