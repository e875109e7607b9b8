import { describe, expect, it } from 'vitest';
import { findStructureErrors } from './structure.mjs';

const findMessages = (path: string, text: string) =>
  findStructureErrors([{ path, text }]).map((error) => error.message);

describe('findStructureErrors reports', () => {
  it.each([
    ['a package imports a service', 'packages/contracts/src/a.ts', "import { x } from '@escucho/portal';"],
    ['a service imports a service', 'services/portal/src/a.ts', "import { x } from '@escucho/identity';"],
    [
      'a service imports a service by path',
      'services/portal/src/a.ts',
      "import { x } from '../../identity/src/b.ts';",
    ],
    ['the web imports a service', 'apps/web/src/app/a.ts', "import { x } from '@escucho/portal';"],
    [
      'shared imports a feature',
      'apps/web/src/shared/a.ts',
      "import { x } from '../features/player/player.ts';",
    ],
    [
      'a feature imports app',
      'apps/web/src/features/player/a.ts',
      "import { x } from '../../app/router.tsx';",
    ],
    [
      'a feature imports another',
      'apps/web/src/features/catalogue/a.ts',
      "import { x } from '../player/store.ts';",
    ],
    [
      'a kernel feature imports another',
      'apps/web/src/features/player/a.ts',
      "import { x } from '../session/session.ts';",
    ],
    [
      'a lazy import goes upwards',
      'apps/web/src/shared/a.ts',
      "const x = () => import('../app/router.tsx');",
    ],
    [
      'an import over several lines goes upwards',
      'apps/web/src/shared/a.ts',
      "import {\n  x,\n} from '../app/router.tsx';",
    ],
    ['a model uses React', 'apps/web/src/features/player/model/a.ts', "import { useState } from 'react';"],
    [
      'a policy reads files',
      'services/portal/src/playlists/policy.ts',
      "import { readFile } from 'node:fs/promises';",
    ],
    ['localStorage outside shared/storage.ts', 'apps/web/src/app/a.ts', "localStorage.getItem('x');"],
    ['a media element outside html-audio.ts', 'apps/web/src/app/a.tsx', 'const sound = new Audio();'],
    ['fetch outside the API client', 'apps/web/src/features/catalogue/queries.ts', "fetch('/api');"],
    ['SQL outside a repository', 'services/portal/src/playlists/service.ts', "db.selectFrom('playlist');"],
    ['a colour literal', 'apps/web/src/app/a.tsx', "const style = { color: '#ff7f50' };"],
    ['a clock in a rule', 'apps/web/src/features/player/model/a.ts', 'const now = Date.now();'],
    ['the environment in a service', 'services/portal/src/a.ts', 'process.env.PORT;'],
    ['a broken hash', 'services/identity/src/a.ts', "createHash('md5');"],
    ['a broken cipher', 'packages/audit/src/a.ts', "createCipheriv('aes-256-ecb', key, null);"],
    ['an old cipher', 'packages/audit/src/a.ts', "createCipheriv('des-ede3-cbc', key, iv);"],
    ['predictable random values', 'services/portal/src/a.ts', 'const code = Math.random();'],
    ['any', 'services/portal/src/a.ts', 'const x: any = 1;'],
    ['a cast', 'services/portal/src/a.ts', 'const x = y as Track;'],
  ])('%s', (_, path, text) => {
    expect(findMessages(path, text)).toHaveLength(1);
  });
});

describe('findStructureErrors accepts', () => {
  it.each([
    [
      'a feature imports a kernel feature’s public file',
      'apps/web/src/features/catalogue/a.ts',
      "import { x } from '../player/player.ts';",
    ],
    [
      'a feature imports itself',
      'apps/web/src/features/player/store.ts',
      "import { x } from './model/queue.ts';",
    ],
    ['a service imports a package', 'services/portal/src/a.ts', "import { x } from '@escucho/contracts';"],
    ['a comment mentions localStorage', 'apps/web/src/app/a.ts', '// localStorage is used in storage.ts'],
    ['as const', 'services/portal/src/a.ts', 'const x = [1] as const;'],
    ['an import renames all', 'services/portal/src/a.ts', "import * as Z from 'zod/mini';"],
    ['an import renames one', 'services/portal/src/a.ts', "import {\n  Menu as BaseMenu,\n} from 'menu';"],
  ])('%s', (_, path, text) => {
    expect(findMessages(path, text)).toEqual([]);
  });
});
