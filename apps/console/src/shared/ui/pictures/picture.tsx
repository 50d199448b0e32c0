import { type ImgHTMLAttributes, useState } from 'react';
import { useTranslation } from 'react-i18next';
import '../page/page.css';

/** An image. If it cannot be loaded, a placeholder of the same size is shown (spec §8). */
export function Picture({ alt, ...image }: ImgHTMLAttributes<HTMLImageElement> & { alt: string }) {
  const [failed, setFailed] = useState<string | undefined>();
  if (failed !== undefined && failed === image.src) {
    return <FailedPicture alt={alt} width={image.width} height={image.height} />;
  }
  return <img {...image} alt={alt} onError={() => setFailed(image.src)} />;
}

/** The placeholder of a picture that could not be loaded. */
export function FailedPicture(props: {
  alt: string;
  width: number | string | undefined;
  height: number | string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <span
      className="failed-image"
      style={{ width: props.width, height: props.height }}
      role="img"
      aria-label={props.alt}
    >
      {t('imageFailed')}
    </span>
  );
}
