import { safeReturnTo } from '../features/session/model/return-to.ts';
import { paths, withQuery } from '../shared/paths.ts';

type Status = 'loading' | 'signed-out' | 'signed-in';

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

const isAuth = (pathname: string) => /^\/auth(\/|$)/i.test(pathname);
const isOpenToAll = (pathname: string) => isAuth(pathname) || /^\/auth-external\/?$/i.test(pathname);

/** Where a signed-out visitor of a guarded page is sent: the way in, which knows the way back (ROUTE-03). */
export const wayIn = ({ pathname, search, hash }: Place): string =>
  withQuery(paths.auth, { returnTo: pathname + search + hash });

/** Where a signed-in visitor of the auth pages is sent (ROUTE-01, ROUTE-03). After confirming an account, to the address as the specification spells it (AUTH-04). */
export function wayOn({ pathname, search }: Pick<Place, 'pathname' | 'search'>): string {
  const asked = new URLSearchParams(search).get('returnTo');
  const confirmed = pathname.toLowerCase() === paths.confirmAccount;
  return asked === null && confirmed ? paths.discoverAsSpelled : safeReturnTo(asked);
}

/**
 * The address to open instead of the one asked for, known before anything is loaded (ROUTE-01).
 * In: the address of the first page and what the session knows by then. Out: an address, or null to go on.
 */
export function otherDoor(place: Place, status: Status): string | null {
  const { pathname, search } = place;
  if (status === 'signed-in' && isAuth(pathname)) return wayOn(place);
  if (status === 'signed-out' && pathname === paths.home) return paths.signIn;
  if (status === 'signed-out' && !isOpenToAll(pathname))
    return wayIn(place).replace(paths.auth, paths.signIn);
  if (/^\/auth\/?$/i.test(pathname)) return paths.signIn + search;
  return pathname === paths.home ? paths.discover : null;
}
