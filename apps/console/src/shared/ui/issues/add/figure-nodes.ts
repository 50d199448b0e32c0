import { type ContentNode, formatTime } from '@chargehand/domain';
import { csvOf } from '../../../lib/files/csv.ts';
import { pictureOfFigures } from './figure-picture.ts';
import type { Figures } from './figures.ts';
import { fileNameOf, uploadedFileNode } from './issue-nodes.ts';

/** Figures as parts of a comment: what they show and when, a picture, and a table. @throws UploadProblem, ApiProblem */
export async function figureNodes(
  figures: Figures,
  at: number,
  issueId: number,
  signal: AbortSignal,
): Promise<ContentNode[]> {
  const title = `${figures.title} · ${formatTime(at).slice(0, 16)}`;
  const name = fileNameOf(title);
  const files = [
    new File([await pictureOfFigures(figures, title)], `${name}.png`),
    new File([figuresTable(figures)], `${name}.csv`),
  ];
  const nodes = await Promise.all(files.map((file) => uploadedFileNode(issueId, file, signal)));
  return [{ type: 'paragraph', content: [{ type: 'text', text: title }] }, ...nodes];
}

/** The figures as CSV: a line per row, a column per series, values with at most three decimals. */
export function figuresTable({ heading, rows, series }: Figures): string {
  return csvOf([
    [heading, ...series.map(({ name }) => name)],
    ...rows.map(({ name, values }) => [name, ...values.map((value) => String(Number(value.toFixed(3))))]),
  ]);
}
