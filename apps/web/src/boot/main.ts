import { boot } from './boot.ts';
import { takeWaitingVersion } from './new-version.ts';
import type { Plan } from './plan.ts';

/** Put in at build time (vite/instant.ts). */
declare const PLAN: Plan;

void takeWaitingVersion();
boot(PLAN, Date.now());
