// `npm run build`: builds web and server if their sources changed.
import { build, prepare } from './prepare.mjs';

prepare();
build();
