import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { FailedPicture, Picture } from './picture.tsx';
import './stored-picture.css';

/** A signed URL is valid as long as its credentials, which is more than half an hour when they are used. */
const FRESH_MS = 20 * 60_000;

interface Props {
  /** key in the object store */
  of: string;
  alt: string;
  width: number;
  height: number;
}

/** A picture of the object store. The code that signs its URL is loaded with the first one. */
export function StoredPicture({ of, alt, width, height }: Props) {
  const address = useAddress(of);
  if (address.isError || address.data === null) return <FailedPicture alt={alt} width={width} height={height} />;
  if (address.data === undefined) return <span className="picture-waits" style={{ width, height }} />;
  return <Picture className="stored-picture" src={address.data} alt={alt} width={width} height={height} />;
}

/** A picture that opens in full size in a new tab. */
export function OpenedPicture(props: Props) {
  const address = useAddress(props.of);
  return (
    <a className="opened-picture" href={address.data ?? undefined} target="_blank" rel="noreferrer">
      <StoredPicture {...props} />
    </a>
  );
}

/** A small picture next to a name; without one, the first letter of the name. */
export function Emblem({ of, name, size, round }: { of: string | null; name: string; size: number; round?: boolean }) {
  const style: CSSProperties = { width: size, height: size, fontSize: size * 0.44 };
  return (
    <span
      className="emblem"
      data-round={round || undefined}
      // Rendered by the style sheet: as text it would be part of the accessible name of a button or link around it.
      data-letter={of === null ? [...name.trim()][0]?.toUpperCase() : undefined}
      style={style}
      aria-hidden="true"
    >
      {of !== null && <EmblemPicture of={of} size={size} />}
    </span>
  );
}

/** Too small for a placeholder text: if it cannot be loaded, its place stays empty. */
function EmblemPicture({ of, size }: { of: string; size: number }) {
  const address = useAddress(of);
  return address.data ? (
    <img src={address.data} alt="" width={size} height={size} onError={(event) => event.currentTarget.remove()} />
  ) : null;
}

function useAddress(of: string) {
  return useQuery({
    queryKey: ['storedAddress', of],
    queryFn: async () => (await import('../../storage/store.ts')).signedUrl(of),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
}
