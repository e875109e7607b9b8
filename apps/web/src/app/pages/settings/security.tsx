import { SecuritySections } from '#features/session/components/security/security-sections.tsx';

/** The second factors and passkeys of the account. */
export const SecurityPage = () => <SecuritySections />;
