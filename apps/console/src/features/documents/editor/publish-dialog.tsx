import type { EditedText, SavedText, SaveResult } from '@chargehand/contract';
import { type DocumentContent, visit } from '@chargehand/domain';
import { Checkbox } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';

interface Props {
  text: EditedText;
  /** the version of the other language that the author sees; 0: it has no text */
  compared: number;
  entered: SavedText;
  /** the text to publish, and the draft that it includes: read after `before`, which may merge another window's text */
  read(): SavedText & { replaces: string | null };
  /** Waits for a draft that is being sent: the draft must not arrive after the publication. */
  before(): Promise<unknown>;
  onAnswer(answer: SaveResult): void;
  onClose(): void;
}

/** Publishes a language. Authors of a translation say whether it follows the text of the other language that they see. */
export function PublishDialog({ text, entered, read, before, onAnswer, onClose, ...props }: Props) {
  const { t } = useTranslation('editor');
  const { t: documents } = useTranslation('documents');
  const { other, locale, documentId } = text;
  const otherName = documents(`language.${locale === 'zh-CN' ? 'en-US' : 'zh-CN'}`);
  const [translated, setTranslated] = useState(false);
  const answer = useRef<SaveResult | null>(null);
  const isTranslation = other.follows !== null;
  // The version that the dialog names, also when a newer one is published meanwhile.
  const [compared] = useState(props.compared);
  const outdated = isTranslation && other.follows! < compared;
  const first = text.version === 0 && compared > 0;
  const title = entered.title.trim();
  const undescribed = undescribedPictures(entered.body);
  return (
    <Confirm
      title={t('publish.title', { language: documents(`language.${locale}`) })}
      ok={t('publish.ok')}
      ready={title !== ''}
      run={async () => {
        await before();
        const body = { ...read(), ...((translated || first) && { translatedFrom: compared }) };
        answer.current = await call('saveText', { params: { id: documentId, locale }, body }, { quiet: true });
      }}
      onDone={() => answer.current && onAnswer(answer.current)}
      onClose={onClose}
    >
      {title === '' ? <p className="error-note">{t('publish.noTitle')}</p> : <p>{t('publish.text')}</p>}
      {undescribed > 0 && <p className="quiet">{t('publish.undescribed', { count: undescribed })}</p>}
      {outdated && (
        <Checkbox checked={translated} onChange={({ target }) => setTranslated(target.checked)}>
          {t('publish.translated', { language: otherName, version: compared })}
        </Checkbox>
      )}
      {!isTranslation && text.version > 0 && compared > 0 && (
        <p className="quiet">{t('publish.original', { language: otherName })}</p>
      )}
    </Confirm>
  );
}

/** How many pictures have no alternative text. */
function undescribedPictures(content: DocumentContent): number {
  let count = 0;
  visit(content, ({ type, attrs }) => {
    if (type === 'image' && !attrs?.alt) count += 1;
  });
  return count;
}
