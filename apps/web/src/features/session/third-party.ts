import { writeStored } from '#shared/storage.ts';
import { jwtKey } from './model/stored-tokens.ts';
import { enter } from './runner.ts';

/** Takes a third party's reader in, who brings a token of the portal's own (EXT-05). Resolves and rejects as `enter` does. */
export function enterWithToken(token: string): Promise<void> {
  writeStored(jwtKey, token);
  return enter();
}
