import type { CodePurpose, Database } from '../database.ts';

/** Puts a code in the place of the one before, if any. */
export async function replaceCode(
  tx: Database,
  subject: string,
  purpose: CodePurpose,
  hash: Buffer,
  expiresAt: Date,
): Promise<void> {
  const row = { hash, misses: 0, expires_at: expiresAt };
  await tx
    .insertInto('code')
    .values({ subject, purpose, ...row })
    .onConflict((conflict) => conflict.columns(['subject', 'purpose']).doUpdateSet(row))
    .execute();
}

/** The code in force, held for this transaction. */
export function lockCode(tx: Database, subject: string, purpose: CodePurpose) {
  return tx
    .selectFrom('code')
    .select(['hash', 'misses', 'expires_at as expiresAt'])
    .where('subject', '=', subject)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst();
}

/** Counts a wrong try. */
export async function countMiss(tx: Database, subject: string, purpose: CodePurpose, misses: number) {
  await tx
    .updateTable('code')
    .set({ misses })
    .where('subject', '=', subject)
    .where('purpose', '=', purpose)
    .execute();
}

/** Ends a code. */
export async function burnCode(tx: Database, subject: string, purpose: CodePurpose): Promise<void> {
  await tx.deleteFrom('code').where('subject', '=', subject).where('purpose', '=', purpose).execute();
}
