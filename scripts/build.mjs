// `npm run build`: web and server, where their sources changed.
import { build, prepare } from './prepare.mjs';

prepare();
build();
