import { type ImgHTMLAttributes, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './page.css';

/** An image; one that cannot be loaded leaves a replacement of its size that says so (spec §8). */
export function Picture({ alt, ...image }: ImgHTMLAttributes<HTMLImageElement> & { alt: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState<string | undefined>();
  if (failed !== undefined && failed === image.src) {
    return (
      <span className="failed-image" style={{ width: image.width, height: image.height }} role="img" aria-label={alt}>
        {t('imageFailed')}
      </span>
    );
  }
  return <img {...image} alt={alt} onError={() => setFailed(image.src)} />;
}
