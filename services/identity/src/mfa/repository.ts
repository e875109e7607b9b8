import type { Selectable } from 'kysely';
import type { Database, MfaMethod, Tables } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import { lockAccount } from '../users/repository.ts';
import type { MfaSettings } from './policy.ts';

type MfaSetting = Selectable<Tables['mfa_setting']>;

/** Returns the enabled second factors of a row, if there is one. */
export function toMfaSettings(row: MfaSetting | undefined): MfaSettings {
  const enabled: MfaMethod[] = [];
  if (row?.softwareTokenEnabled) enabled.push('SOFTWARE_TOKEN_MFA');
  if (row?.emailEnabled) enabled.push('EMAIL_OTP');
  return { enabled, preferred: row?.preferred ?? undefined };
}

const selectSetting = (db: Database, accountId: string) =>
  db.selectFrom('mfa_setting').selectAll().where('accountId', '=', accountId);

/** The repository of second factors; every method takes the database or a transaction. */
export const mfaRepository = {
  find(db: Database, accountId: string): Promise<MfaSetting | undefined> {
    return selectSetting(db, accountId).executeTakeFirst();
  },

  /**
   * Returns the settings of a user, empty ones at first, and locks their row until the transaction ends.
   * @throws UserNotFoundException
   */
  async lock(tx: Database, accountId: string, now: Date): Promise<MfaSetting> {
    if (!(await lockAccount(tx, accountId))) throw cognitoErrors.userNotFound();
    const empty = {
      encryptedSecret: null,
      encryptedPendingSecret: null,
      lastUsedStep: null,
      preferred: null,
    };
    await tx
      .insertInto('mfa_setting')
      .values({ accountId, ...empty, updatedAt: now })
      .onConflict((conflict) => conflict.column('accountId').doNothing())
      .execute();
    return selectSetting(tx, accountId).forUpdate().executeTakeFirstOrThrow();
  },

  async update(
    tx: Database,
    accountId: string,
    changes: Partial<Omit<MfaSetting, 'accountId'>>,
    now: Date,
  ): Promise<void> {
    await tx
      .updateTable('mfa_setting')
      .set({ ...changes, updatedAt: now })
      .where('accountId', '=', accountId)
      .execute();
  },

  /** Marks a time step as used; returns false where it or a later one was used before. */
  async useTimeStep(tx: Database, accountId: string, step: number): Promise<boolean> {
    const updated = await tx
      .updateTable('mfa_setting')
      .set({ lastUsedStep: step })
      .where('accountId', '=', accountId)
      .where((where) => where.or([where('lastUsedStep', 'is', null), where('lastUsedStep', '<', step)]))
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  },

  /** Deletes every second factor of a user with the recovery codes; returns the factors that were enabled. */
  async delete(tx: Database, accountId: string): Promise<readonly MfaMethod[]> {
    await recoveryCodeRepository.deleteAll(tx, accountId);
    const row = await tx
      .deleteFrom('mfa_setting')
      .where('accountId', '=', accountId)
      .returningAll()
      .executeTakeFirst();
    return toMfaSettings(row).enabled;
  },
};

/** The repository of recovery codes by their hash; every method takes the database or a transaction. */
export const recoveryCodeRepository = {
  /** Deletes the codes of a user; returns whether there were some. */
  async deleteAll(tx: Database, accountId: string): Promise<boolean> {
    const deleted = await tx
      .deleteFrom('recovery_code')
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  },

  /** Replaces the codes of a user; returns whether there were some. */
  async replaceAll(tx: Database, accountId: string, hashes: readonly Buffer[], now: Date): Promise<boolean> {
    const hadCodes = await recoveryCodeRepository.deleteAll(tx, accountId);
    await tx
      .insertInto('recovery_code')
      .values(hashes.map((hash) => ({ accountId, hash, usedAt: null, createdAt: now })))
      .execute();
    return hadCodes;
  },

  /** Marks a code as used; returns false where there is none that is unused. */
  async use(tx: Database, accountId: string, hash: Buffer, now: Date): Promise<boolean> {
    const updated = await tx
      .updateTable('recovery_code')
      .set({ usedAt: now })
      .where('accountId', '=', accountId)
      .where('hash', '=', hash)
      .where('usedAt', 'is', null)
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  },

  async isUsed(db: Database, accountId: string, hash: Buffer): Promise<boolean> {
    const row = await db
      .selectFrom('recovery_code')
      .select('usedAt')
      .where('accountId', '=', accountId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row?.usedAt != null;
  },

  async countUnused(db: Database, accountId: string): Promise<number> {
    const { count } = await db
      .selectFrom('recovery_code')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('accountId', '=', accountId)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
};
