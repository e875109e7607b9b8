import type { CodePurpose, Database } from '../database.ts';

/** Inserts a verification code, or replaces the previous one of the same user and purpose. */
export async function replaceCode(
  tx: Database,
  userId: string,
  purpose: CodePurpose,
  hash: Buffer,
  expiresAt: Date,
): Promise<void> {
  const row = { hash, failed_attempts: 0, expires_at: expiresAt };
  await tx
    .insertInto('verification_code')
    .values({ user_id: userId, purpose, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(row))
    .execute();
}

/** Finds a verification code and locks its row until the transaction ends. */
export function lockCode(tx: Database, userId: string, purpose: CodePurpose) {
  return tx
    .selectFrom('verification_code')
    .select(['hash', 'failed_attempts as failedAttempts', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst();
}

export async function setFailedAttempts(
  tx: Database,
  userId: string,
  purpose: CodePurpose,
  failedAttempts: number,
): Promise<void> {
  await tx
    .updateTable('verification_code')
    .set({ failed_attempts: failedAttempts })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

export async function deleteCode(tx: Database, userId: string, purpose: CodePurpose): Promise<void> {
  await tx
    .deleteFrom('verification_code')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}
