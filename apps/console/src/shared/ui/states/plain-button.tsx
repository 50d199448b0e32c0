import type { ButtonHTMLAttributes } from 'react';
import './plain.css';

/** A button for pages without the component library. */
export function PlainButton({ primary, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { primary?: boolean }) {
  return <button type="button" {...rest} className={primary ? 'plain-button plain-button-primary' : 'plain-button'} />;
}
