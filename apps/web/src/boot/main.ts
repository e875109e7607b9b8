import { activateWaitingUpdate } from './app-update.ts';
import { boot } from './boot.ts';

void activateWaitingUpdate();
boot(window.__preloads ?? {}, Date.now(), (url) => location.replace(url));
