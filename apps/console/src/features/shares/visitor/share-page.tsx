import type { OpenedShare } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem, isCancelled } from '../../../shared/api/problem.ts';
import { useProductName } from '../../../shared/branding/branding.ts';
import { chooseLocale } from '../../../shared/i18n/i18n.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { Logo, ProductName } from '../../../shared/ui/page/logo.tsx';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { CodeForm } from './code-form.tsx';
import { SharedPages } from './guests/shared-pages.tsx';
import { SharedTerminal } from './guests/shared-terminal.tsx';
import styles from './share-page.module.css';
import { SharedFile } from './shared-file.tsx';
import { SharedFolder } from './shared-folder.tsx';
import { SharedIssue } from './shared-issue/shared-issue.tsx';
import { UploadRequest } from './upload-request.tsx';

/** The codes of errors that end a share for its visitors, with the title of their page. */
const ENDS = {
  11350: 'unknown',
  11351: 'destroyed',
  11352: 'expired',
  11353: 'withdrawn',
  11354: 'locked',
  11355: 'usedUp',
} as const;
const USED_UP = 11355;

/**
 * The page of a share, for visitors without an account. It does not use the component library, so that it loads quickly
 * on a phone.
 */
export default function SharePage() {
  const { t } = useTranslation('share');
  const [token] = useState(() => new URLSearchParams(location.search).get('s') ?? '');
  const [opened, setOpened] = useState<OpenedShare | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  const locale = useLocale();

  // The server answers in the language of the page, so another language loads its message again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `locale` repeat the call
  useEffect(() => {
    const leave = new AbortController();
    setProblem(null);
    call('openShare', { query: { s: token || '-' } }, { quiet: true, signal: leave.signal }).then(
      (found) => setOpened((now) => (now?.content && found.codeNeeded ? now : found)),
      (error: unknown) => {
        if (isCancelled(error)) return;
        // The visitor's own last upload used it up: the page still shows what arrived.
        if (round > 0 && error instanceof ApiProblem && error.code === USED_UP) setOpened(withoutUses);
        else setProblem(error);
      },
    );
    return () => leave.abort();
  }, [token, round, locale]);

  const title = opened?.content?.name ?? t('title');
  const product = useProductName();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);

  const reload = () => setRound((now) => now + 1);
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <Logo size={24} />
        <ProductName />
      </header>
      <main className={styles.card}>
        {problem !== null ? (
          <Ended problem={problem} onRetry={reload} />
        ) : opened?.content ? (
          <Content token={token} content={opened.content} onUsed={reload} onOpened={setOpened} onEnded={setProblem} />
        ) : opened ? (
          <CodeForm token={token} onOpened={setOpened} onEnded={setProblem} />
        ) : (
          <p role="status">{t('loading')}</p>
        )}
      </main>
      <footer className={styles.foot}>
        {LOCALES.map((key) => (
          <button
            type="button"
            key={key}
            lang={key}
            className={styles.link}
            aria-pressed={key === locale}
            onClick={() => void chooseLocale(key)}
          >
            {t(`language.${key}`)}
          </button>
        ))}
      </footer>
    </div>
  );
}

function withoutUses(opened: OpenedShare | null): OpenedShare | null {
  return opened?.content ? { ...opened, content: { ...opened.content, usesLeft: 0 } } : opened;
}

type ContentOf = NonNullable<OpenedShare['content']>;

interface ContentProps {
  token: string;
  content: ContentOf;
  /** The visitor has used the share. */
  onUsed(): void;
  /** The share has changed. */
  onOpened(opened: OpenedShare): void;
  /** The share cannot be used any more. */
  onEnded(problem: unknown): void;
}

function Content({ token, content, onUsed, onOpened, onEnded }: ContentProps) {
  if (content.kind === 'upload') return <UploadRequest token={token} request={content} onUsed={onUsed} />;
  if (content.kind === 'issue') return <SharedIssue token={token} content={content} />;
  if (content.kind === 'terminal') return <SharedTerminal token={token} content={content} />;
  if (content.kind === 'page') return <SharedPages token={token} content={content} onEnded={onEnded} />;
  if (content.isFolder) return <SharedFolder token={token} content={content} />;
  return <SharedFile {...{ token, content, onOpened, onEnded }} />;
}

/** Why the share cannot be used, and what to do. */
function Ended({ problem, onRetry }: { problem: unknown; onRetry(): void }) {
  const { t } = useTranslation('share');
  const code = problem instanceof ApiProblem ? problem.code : 0;
  const end = code in ENDS ? ENDS[code as keyof typeof ENDS] : null;
  return (
    <div role="alert">
      <h1>{end ? t(`end.${end}`) : t('failed')}</h1>
      <p className={styles.text}>{problem instanceof Error ? problem.message : String(problem)}</p>
      {(end === null || end === 'locked') && <PlainButton onClick={onRetry}>{t('retry')}</PlainButton>}
    </div>
  );
}
