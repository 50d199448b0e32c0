import { Link } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { isObjectType, OBJECTS } from './objects.ts';

/** The name of an object, with a link for users who may open it. Deleted objects show a "not found" page. */
export function ObjectLink({ type, id, name }: { type: string; id: string; name: string }) {
  const known = isObjectType(type) ? OBJECTS[type] : null;
  const mayOpen = usePermitted(known ? [known.key] : []);
  return known && mayOpen ? <Link to={known.path(id)}>{name}</Link> : name;
}
