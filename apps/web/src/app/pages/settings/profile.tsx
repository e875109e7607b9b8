import { Profile } from '../../../features/profile/components/profile.tsx';

/** Who the reader is, and how the app looks and speaks to them (SUB-07). */
export function ProfilePage() {
  return <Profile />;
}
