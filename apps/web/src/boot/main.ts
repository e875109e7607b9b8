import { activateWaitingUpdate } from './app-update.ts';
import { boot } from './boot.ts';

void activateWaitingUpdate();
boot(Date.now(), (url) => location.replace(url), window.__preloads, window.__modules);
