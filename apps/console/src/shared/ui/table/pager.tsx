import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageSize } from '../../lib/lists/list-query.ts';
import { JUMP, type PageNumber, pageNumbers } from '../../lib/lists/page-numbers.ts';
import { LateSelect } from '../late/late-select.tsx';
import css from './pager.module.css';

interface Props {
  page: number;
  pageSize: PageSize;
  /** the number of rows on all pages */
  total: number;
  onPage(page: number): void;
  /** the possible sizes in ascending order; omitted: one */
  sizes?: readonly PageSize[];
  /** omitted: users cannot choose the size */
  onSize?: ((size: PageSize) => void) | undefined;
}

/** The pages of a list. Hidden when one page of every size has all rows. */
export function Pager({ page, pageSize, total, onPage, sizes, onSize }: Props) {
  const { t } = useTranslation();
  if (total <= (sizes?.[0] ?? pageSize)) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const go = (target: number) => onPage(Math.min(Math.max(target, 1), last));
  const from = (page - 1) * pageSize + 1;
  const entry = (number: PageNumber): ReactNode => {
    if (typeof number === 'number') {
      const current = number === page;
      return (
        <button type="button" aria-current={current ? 'page' : undefined} onClick={() => go(number)}>
          {number}
        </button>
      );
    }
    const label = t(number === 'back' ? 'pages.jumpBack' : 'pages.jumpOn', { count: JUMP });
    return (
      <button
        type="button"
        className={css.gap}
        aria-label={label}
        title={label}
        onClick={() => go(number === 'back' ? page - JUMP : page + JUMP)}
      >
        •••
      </button>
    );
  };
  return (
    <nav className={css.pager} aria-label={t('pages.title')}>
      <span>{t('table.range', { from, to: Math.min(page * pageSize, total), count: total })}</span>
      <ul>
        <li>
          <Step label={t('pages.back')} disabled={page <= 1} onClick={() => go(page - 1)}>
            <LeftOutlined aria-hidden="true" />
          </Step>
        </li>
        {pageNumbers(page, last).map((number) => (
          <li key={number}>{entry(number)}</li>
        ))}
        <li>
          <Step label={t('pages.on')} disabled={page >= last} onClick={() => go(page + 1)}>
            <RightOutlined aria-hidden="true" />
          </Step>
        </li>
      </ul>
      {sizes && onSize && (
        <LateSelect<PageSize>
          size="small"
          value={pageSize}
          aria-label={t('pages.size')}
          popupMatchSelectWidth={false}
          options={sizes.map((size) => ({ value: size, label: t('pages.perPage', { count: size }) }))}
          onChange={onSize}
        />
      )}
    </nav>
  );
}

function Step(props: { label: string; disabled: boolean; onClick(): void; children: ReactNode }) {
  const { label, disabled, onClick, children } = props;
  return (
    // Not `disabled`, because the focus would be lost on the last page.
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      {children}
    </button>
  );
}
