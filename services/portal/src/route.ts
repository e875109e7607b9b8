import type { createRouter } from '@escucho/service-kit';
import type { CurrentUser } from './accounts/service.ts';

/** Registers an endpoint whose handler is told which reader asks. */
export type Route = ReturnType<typeof createRouter<CurrentUser>>;
