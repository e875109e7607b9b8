import type { CodePurpose, Database } from '../database.ts';

/** Inserts a verification code, or replaces the previous one of the same user and purpose. */
export async function replaceCode(
  tx: Database,
  userId: string,
  purpose: CodePurpose,
  hash: Buffer,
  expiresAt: Date,
): Promise<void> {
  const code = { hash, failedAttempts: 0, expiresAt };
  await tx
    .insertInto('verification_code')
    .values({ userId, purpose, ...code })
    .onConflict((conflict) => conflict.columns(['userId', 'purpose']).doUpdateSet(code))
    .execute();
}

/** Finds a verification code and locks its row until the transaction ends. */
export function lockCode(tx: Database, userId: string, purpose: CodePurpose) {
  return tx
    .selectFrom('verification_code')
    .selectAll()
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores how often a code was entered wrongly. */
export async function setFailedAttempts(
  tx: Database,
  userId: string,
  purpose: CodePurpose,
  failedAttempts: number,
): Promise<void> {
  await tx
    .updateTable('verification_code')
    .set({ failedAttempts })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/**
 * Deletes the code of a purpose, or every code of a user: what was requested before the account changed hands must not
 * work afterwards.
 */
export async function deleteCodes(tx: Database, userId: string, purpose?: CodePurpose): Promise<void> {
  const all = tx.deleteFrom('verification_code').where('userId', '=', userId);
  await (purpose ? all.where('purpose', '=', purpose) : all).execute();
}
