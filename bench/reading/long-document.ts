import type { ContentNode, DocumentContent } from '@chargehand/domain';

/** A screen of text, about 900 pixels at a width of 1,440: heading, paragraphs, steps, a table and code. */
function screen(number: number): ContentNode[] {
  const text = (value: string, marks?: ContentNode['marks']): ContentNode => ({
    ...{ type: 'text', text: value },
    ...(marks ? { marks } : {}),
  });
  const paragraph = (...content: ContentNode[]): ContentNode => ({ type: 'paragraph', content });
  const words = `Check ${number}: measure the resistance between both conductors and earth, compare it with the plate, `;
  const sentences = paragraph(text(words), text('never with power on. ', [{ type: 'bold' }]), text(words.repeat(2)));
  const cell = (type: string, value: string): ContentNode => ({ type, content: [paragraph(text(value))] });
  const row = (type: string, ...values: string[]): ContentNode => ({
    type: 'tableRow',
    content: values.map((value) => cell(type, value)),
  });
  const item = (type: string, value: string): ContentNode => ({
    ...(type === 'taskItem' ? { type, attrs: { checked: false } } : { type }),
    content: [paragraph(text(value))],
  });
  const five = [1, 2, 3, 4, 5];
  return [
    { type: 'heading', attrs: { level: number % 4 === 0 ? 1 : 2 }, content: [text(`Section ${number}`)] },
    ...[sentences, sentences, sentences],
    { type: 'taskList', content: five.map((step) => item('taskItem', `Step ${step} of section ${number}`)) },
    {
      type: 'table',
      content: [
        row('tableHeader', 'Point', 'Value', 'Limit'),
        ...five.map((step) => row('tableCell', `X${step}`, `${number * step} kΩ`, '500 kΩ')),
      ],
    },
    { type: 'codeBlock', attrs: { language: 'sh' }, content: [text(`status --section ${number}\nread --all`)] },
    { type: 'bulletList', content: five.map((line) => item('listItem', `${line}. ${words}`)) },
  ];
}

/** A document of this many screens. */
export function longDocument(screens: number): DocumentContent {
  return { type: 'doc', content: Array.from({ length: screens }, (_, index) => screen(index + 1)).flat() };
}
