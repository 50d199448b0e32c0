import type { ContentNode } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './content.module.css';
import { each } from './each.ts';

/** A table, which scrolls by itself where it is wider than the page. */
export function Table({ rows, cell }: { rows: readonly ContentNode[]; cell(node: ContentNode): ReactNode }) {
  const { t } = useTranslation('content');
  const headed = rows[0]?.content?.every(({ type }) => type === 'tableHeader') ?? false;
  const row = (node: ContentNode, key: number) => (
    <tr key={key}>
      {each(node.content, (one, column) => (
        <Cell key={column} node={one} scope={headed && key === 0 ? 'col' : 'row'}>
          {cell(one)}
        </Cell>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable with the keyboard
    <section className={css.table} tabIndex={0} aria-label={t('table')}>
      <table>
        {headed && <thead>{row(rows[0]!, 0)}</thead>}
        <tbody>{each(rows, (node, key) => (headed && key === 0 ? null : row(node, key)))}</tbody>
      </table>
    </section>
  );
}

function Cell({ node, scope, children }: { node: ContentNode; scope: 'col' | 'row'; children: ReactNode }) {
  const { colspan, rowspan, colwidth } = (node.attrs ?? {}) as {
    colspan?: number;
    rowspan?: number;
    colwidth?: number[];
  };
  const shared = {
    colSpan: colspan,
    rowSpan: rowspan,
    style: colwidth && { minWidth: colwidth.reduce((sum, width) => sum + width, 0) },
  };
  return node.type === 'tableHeader' ? (
    <th scope={scope} {...shared}>
      {children}
    </th>
  ) : (
    <td {...shared}>{children}</td>
  );
}
