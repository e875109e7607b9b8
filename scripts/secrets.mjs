// Finds keys and passwords of real services in files that are committed.

/** @typedef {{ path: string, text: string }} SourceFile */

/** Formats of secrets that can be distinguished from other text: a name and a pattern. */
const patterns = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*\n[A-Za-z0-9+/=]{40}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a live key of Stripe', /\b[sr]k_live_[0-9A-Za-z]{16,}/],
  ['a webhook secret of Stripe', /\bwhsec_[0-9A-Za-z+/]{32,}/],
  ['a token of GitHub', /\b(?:gh[opsur]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{60,})/],
  ['a token of npm', /\bnpm_[0-9A-Za-z]{36}\b/],
  ['a token of Slack', /\bxox[abeprs]-[0-9A-Za-z-]{20,}/],
  ['a key of Google', /\bAIza[0-9A-Za-z_-]{35}\b/],
  ['a client secret of Google', /\bGOCSPX-[0-9A-Za-z_-]{20,}/],
  ['a secret key of age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
  ['a signed token', /\beyJ[0-9A-Za-z_-]{16,}\.eyJ[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{20,}/],
];

/**
 * @param {SourceFile[]} files all committed text files
 * @returns {string[]} a message for each line that contains a secret, without the secret
 */
export function findSecrets(files) {
  return files.flatMap(({ path, text }) =>
    patterns.flatMap(([name, pattern]) => {
      const match = pattern.exec(text);
      if (!match) return [];
      const line = text.slice(0, match.index).split('\n').length;
      return [`${path}:${line}  contains ${name}: revoke it, and remove it from the history`];
    }),
  );
}
