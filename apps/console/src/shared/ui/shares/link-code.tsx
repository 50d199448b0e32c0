import { Button, QRCode } from 'antd';
import type { ReactNode } from 'react';
import { copyText } from '../values/copy-text.ts';
import { Copyable } from '../values/copyable.tsx';
import css from './link-code.module.css';

interface Props {
  link: string;
  /** the accessible name of the QR code */
  qr: string;
  /** the button that copies `text`, by default the link */
  copy: string;
  text?: string;
  /** below the button */
  hint?: ReactNode;
  /** above the button */
  children?: ReactNode;
}

/** A link to copy, or to scan with a phone. */
export function LinkCode({ link, qr, copy, text = link, hint, children }: Props) {
  return (
    <div className={css.link}>
      {/* Cameras need dark on light in every theme. */}
      <QRCode type="svg" value={link} size={148} color="#000" bgColor="#fff" aria-label={qr} />
      <div className={css.linkText}>
        <p>
          <Copyable text={link} />
        </p>
        {children}
        <Button type="primary" onClick={() => void copyText(text)}>
          {copy}
        </Button>
        {hint}
      </div>
    </div>
  );
}
