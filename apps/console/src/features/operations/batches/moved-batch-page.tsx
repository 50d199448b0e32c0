import { Navigate, useParams } from 'react-router';
import { batchPath } from './batch-parts.ts';

/** The address of a batch in earlier releases leads to its command. */
export default function MovedBatchPage() {
  return <Navigate to={batchPath(Number(useParams().id))} replace />;
}
