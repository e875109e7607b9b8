import { activateWaitingUpdate } from './app-update.ts';
import { boot, type PreloadPlan } from './boot.ts';

/** Defined at build time (vite/boot-script.ts). */
declare const PRELOAD_PLAN: PreloadPlan;

void activateWaitingUpdate();
boot(PRELOAD_PLAN, Date.now());
