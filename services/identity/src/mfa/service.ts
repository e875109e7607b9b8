import { randomInt } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import { Secret } from 'otpauth';
import type { Caller } from '../caller.ts';
import type { Database, MfaMethod } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { type CognitoError, cognitoErrors } from '../errors.ts';
import { consumeRateLimit } from '../rate-limits/repository.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { LocalUser, User } from '../users/user.ts';
import {
  changeSettings,
  findTimeStep,
  isTimeBasedCode,
  type MfaChange,
  type MfaSettings,
  mfaMethods,
  normalizeRecoveryCode,
  recoveryCodeAlphabet,
} from './policy.ts';
import { mfaRepository, recoveryCodeRepository, toMfaSettings } from './repository.ts';

/** A code that answers a challenge. */
interface SentCode {
  code: string;
  challengeId: string;
}

const SECRET_LENGTH = 20;
const RECOVERY_CODES = 10;
const RECOVERY_CODE_LENGTH = 10;

/** Creates a code of 50 random bits. */
const createRecoveryCode = () =>
  Array.from({ length: RECOVERY_CODE_LENGTH }, () =>
    recoveryCodeAlphabet.charAt(randomInt(recoveryCodeAlphabet.length)),
  ).join('');

/** Creates the service by which users set up their second factors, and which checks their codes. */
export function createMfaService({ db, secrets, notifyOwner, clock }: PoolDeps) {
  const encrypt = (userId: string, secret: string) =>
    secrets.encrypt('software-token', userId, Buffer.from(secret));
  const toRecoveryHash = (userId: string, code: string) =>
    secrets.hmac('code', userId, 'recovery', normalizeRecoveryCode(code));

  function decrypt(userId: string, encrypted: Buffer): string {
    const secret = secrets.decrypt('software-token', userId, encrypted);
    if (!secret) throw new Error('A software token does not decrypt with the identity secret.');
    return secret.toString();
  }

  async function getSettings(on: Database, userId: string): Promise<MfaSettings> {
    return toMfaSettings(await mfaRepository.find(on, userId));
  }

  /**
   * Creates a secret for an authenticator app. A verified one remains valid until a code of the new one is verified.
   * @returns the secret in base32
   */
  async function associateSoftwareToken(user: User): Promise<string> {
    if (user.federated) throw cognitoErrors.federatedUser();
    const secret = new Secret({ size: SECRET_LENGTH }).base32;
    await db.transaction().execute(async (tx) => {
      const now = clock();
      await mfaRepository.lock(tx, user.id, now);
      await mfaRepository.update(tx, user.id, { encryptedPendingSecret: encrypt(user.id, secret) }, now);
    });
    return secret;
  }

  /**
   * Verifies a code of the associated secret, which becomes the user's software token. The code cannot be used again. The
   * owner is notified where sign-in asks for codes of the new secret. A client that repeats the request, since the response
   * was lost, succeeds with a code of the verified secret.
   * @throws EnableSoftwareTokenMFAException for a wrong code
   */
  async function verifySoftwareToken(user: User, code: string, caller: Caller): Promise<void> {
    const userId = user.id;
    await db.transaction().execute(async (tx) => {
      const now = clock();
      const row = await mfaRepository.lock(tx, userId, now);
      const encryptedSecret = row.encryptedPendingSecret ?? row.encryptedSecret;
      if (!encryptedSecret) throw cognitoErrors.softwareTokenNotFound();
      const step = findTimeStep(decrypt(userId, encryptedSecret), code, now);
      if (step === undefined) throw cognitoErrors.softwareTokenMismatch();
      if (!row.encryptedPendingSecret) {
        await mfaRepository.useTimeStep(tx, userId, step);
        return;
      }
      const token = { encryptedSecret, encryptedPendingSecret: null, lastUsedStep: step };
      await mfaRepository.update(tx, userId, token, now);
      if (!row.softwareTokenEnabled) return;
      const details = { method: 'SOFTWARE_TOKEN_MFA' };
      await recordAuditEvent(tx, { type: 'mfa_enabled', userId, details });
      await notifyOwner(tx, user, 'second-factor-added', caller);
    });
  }

  /** Turns second factors on and off, records the changes and notifies the owner. Recovery codes end with the app. */
  async function setPreference(
    user: User,
    changes: Partial<Record<MfaMethod, MfaChange>>,
    caller: Caller,
  ): Promise<void> {
    if (user.federated) throw cognitoErrors.federatedUser();
    await db.transaction().execute(async (tx) => {
      const now = clock();
      const row = await mfaRepository.lock(tx, user.id, now);
      const previous = toMfaSettings(row);
      const settings = changeSettings(previous, changes);
      if (settings.enabled.includes('SOFTWARE_TOKEN_MFA') && !row.encryptedSecret) {
        throw cognitoErrors.softwareTokenNotVerified();
      }
      if (settings.enabled.includes('EMAIL_OTP') && !user.emailVerified) {
        throw cognitoErrors.emailNotVerified();
      }
      const columns = {
        softwareTokenEnabled: settings.enabled.includes('SOFTWARE_TOKEN_MFA'),
        emailEnabled: settings.enabled.includes('EMAIL_OTP'),
        preferred: settings.preferred ?? null,
      };
      await mfaRepository.update(tx, user.id, columns, now);
      if (!columns.softwareTokenEnabled) await recoveryCodeRepository.deleteAll(tx, user.id);
      for (const method of mfaMethods) {
        const isEnabled = settings.enabled.includes(method);
        if (isEnabled === previous.enabled.includes(method)) continue;
        const type = isEnabled ? 'mfa_enabled' : 'mfa_disabled';
        await recordAuditEvent(tx, { type, userId: user.id, details: { method } });
        await notifyOwner(tx, user, isEnabled ? 'second-factor-added' : 'second-factor-removed', caller);
      }
    });
  }

  /** Creates a set of recovery codes, which replaces the previous one. They are not readable later. */
  async function createRecoveryCodes(user: User, caller: Caller): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
    const hashes = codes.map((code) => toRecoveryHash(user.id, code));
    await db.transaction().execute(async (tx) => {
      const now = clock();
      const row = await mfaRepository.lock(tx, user.id, now);
      if (!row.softwareTokenEnabled) throw cognitoErrors.softwareTokenNotFound();
      const hadCodes = await recoveryCodeRepository.replaceAll(tx, user.id, hashes, now);
      await recordAuditEvent(tx, { type: 'recovery_codes_created', userId: user.id });
      if (hadCodes) await notifyOwner(tx, user, 'recovery-codes-replaced', caller);
    });
    return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
  }

  const countRecoveryCodes = (userId: string) => recoveryCodeRepository.countUnused(db, userId);

  /**
   * Notifies the owner that a code was sent again which had been used, once an hour: who sent it knows the password and has
   * seen a code. A client that repeats the request of a completed challenge, since the response was lost, is not reported.
   */
  async function reportReuse(tx: Database, user: LocalUser, challengeId: string, caller: Caller) {
    if (await sessionRepository.isHandshakeUsed(tx, challengeId)) return;
    if (!(await consumeRateLimit(tx, user.id, 'reused-code-mail', clock()))) return;
    await notifyOwner(tx, user, 'code-reused', caller);
  }

  async function useRecoveryCode(
    tx: Database,
    user: LocalUser,
    { code, challengeId }: SentCode,
    caller: Caller,
  ) {
    const hash = toRecoveryHash(user.id, code);
    if (!(await recoveryCodeRepository.use(tx, user.id, hash, clock()))) {
      const isReused = await recoveryCodeRepository.isUsed(tx, user.id, hash);
      if (isReused) await reportReuse(tx, user, challengeId, caller);
      return cognitoErrors.mfaCodeMismatch();
    }
    await recordAuditEvent(tx, { type: 'recovery_code_used', userId: user.id });
    await notifyOwner(tx, user, 'recovery-code-used', caller);
    return undefined;
  }

  /**
   * Uses a time-based code or a recovery code. Each is accepted once, also where several requests send it at once. The owner
   * is notified of a code that was used before.
   * @returns the error, which must not roll the transaction back: it commits the caller's count of attempts
   */
  async function useCode(
    tx: Database,
    user: LocalUser,
    sent: SentCode,
    caller: Caller,
  ): Promise<CognitoError | undefined> {
    const row = await mfaRepository.find(tx, user.id);
    if (!row?.softwareTokenEnabled || !row.encryptedSecret) return cognitoErrors.softwareTokenNotFound();
    if (!isTimeBasedCode(sent.code)) return useRecoveryCode(tx, user, sent, caller);
    const step = findTimeStep(decrypt(user.id, row.encryptedSecret), sent.code, clock());
    if (step === undefined) return cognitoErrors.mfaCodeMismatch();
    if (await mfaRepository.useTimeStep(tx, user.id, step)) return undefined;
    await reportReuse(tx, user, sent.challengeId, caller);
    return cognitoErrors.mfaCodeUsed();
  }

  return {
    getSettings,
    associateSoftwareToken,
    verifySoftwareToken,
    setPreference,
    createRecoveryCodes,
    countRecoveryCodes,
    useCode,
  };
}

export type MfaService = ReturnType<typeof createMfaService>;
