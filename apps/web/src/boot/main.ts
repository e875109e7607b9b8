import { boot } from './boot.ts';
import type { Plan } from './plan.ts';

/** Put in at build time (vite/instant.ts). */
declare const PLAN: Plan;

boot(PLAN, Date.now());
