// Archives the data directory of a release, with one article and what a user has stored, for
// apps/server/src/upgrade.test.ts: `node scripts/archive-release.mjs v0.2.0`. Needs git, tar and the packages' registry.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress } from 'node:zlib';
import { fail, root } from './prepare.mjs';

const PORT = '4391';
const origin = `http://localhost:${PORT}`;
/** The one article of the archive, for its size. */
const ARTICLE = 'the-otters-pocket';

/** Sends a request and returns the JSON of its response. */
async function request(path, { headers, ...init }) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...init,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** Signs the demo account in and stores a playlist, a position and a bookmark. */
async function storeUserData() {
  const { identity } = await request('/config.json', { method: 'GET' });
  const { AuthenticationResult: tokens } = await request('/identity', {
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      ClientId: identity.clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'demo@escucho.test', PASSWORD: 'Escucho2026' },
    }),
  });
  const headers = { authorization: `Bearer ${tokens.AccessToken}` };
  const send = (method, path, body) =>
    request(`/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  await send('POST', '/auth/sign-in-cognito', { idToken: tokens.IdToken });
  const { docs } = await send('GET', '/catalogue/articles?kind=article');
  const track = docs[0]._id;
  const at = new Date().toISOString();
  const device = crypto.randomUUID();
  await send('POST', '/listening/progress', { track, device, sequence: 1, position: 21, cause: 'tick', at });
  await send('PUT', `/bookmarks/${crypto.randomUUID()}`, { track, position: 12, note: 'otter' });
  await request('/api/playlist', {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'Para el tren' }),
  });
}

const tag = process.argv[2];
const isTag = (name) =>
  spawnSync('git', ['rev-parse', '--quiet', '--verify', `refs/tags/${name}^{commit}`], { cwd: root })
    .status === 0;
if (!tag || !isTag(tag)) fail('Name the tag of a release: node scripts/archive-release.mjs v0.2.0');
const directory = mkdtempSync(join(tmpdir(), 'escucho-release-'));
// PostgreSQL runs as another user where this runs as root.
chmodSync(directory, 0o755);
const source = join(directory, 'source');
const data = join(directory, 'data');
execFileSync('git', ['worktree', 'add', '--detach', source, tag], { cwd: root, stdio: 'inherit' });
try {
  const library = join(source, 'content/library');
  for (const entry of readdirSync(library))
    if (![ARTICLE, 'brand', 'narrators'].includes(entry)) rmSync(join(library, entry), { recursive: true });
  const playlists = join(source, 'content/playlists.json');
  const playlistsOfArticle = JSON.parse(readFileSync(playlists, 'utf8'))
    .filter(({ articles }) => articles.includes(ARTICLE))
    .map((playlist) => ({ ...playlist, articles: [ARTICLE] }));
  writeFileSync(playlists, JSON.stringify(playlistsOfArticle));
  const product = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: source,
    env: { ...process.env, DATA_DIR: data, PORT, IDENTITY_ALLOW: 'USER_PASSWORD_AUTH' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(product, 'exit');
  try {
    for await (const chunk of product.stdout) if (String(chunk).includes('is ready')) break;
    await storeUserData();
  } finally {
    product.kill();
    await exited;
  }
  const archives = join(root, 'apps/server/src/testing/releases');
  mkdirSync(archives, { recursive: true });
  const tar = spawn('tar', ['-c', '-C', directory, 'data'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The window covers PostgreSQL's template databases, which are nearly the same.
  const compress = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  await pipeline(tar.stdout, compress, createWriteStream(join(archives, `${tag}.tar.br`)));
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', source], { cwd: root });
  rmSync(directory, { recursive: true });
}
