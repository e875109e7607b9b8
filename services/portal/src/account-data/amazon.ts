import { AppError } from '@escucho/contracts';

interface Pool {
  endpoint: string;
  userPoolId: string;
  /** No answer after so many milliseconds is none. */
  patience: number;
}

/**
 * Deletes an account of a pool at Amazon, with the credentials that AWS's own clients find in the environment; one that
 * is not there is deleted already. Throws `unavailable`.
 */
export async function deleteCognitoUser(
  { endpoint, userPoolId, patience }: Pool,
  account: string,
): Promise<void> {
  // Only where somebody leaves Amazon: it is large.
  const amazon = await import('@aws-sdk/client-cognito-identity-provider');
  const client = new amazon.CognitoIdentityProviderClient({
    endpoint,
    region: userPoolId.split('_')[0] ?? '',
    maxAttempts: 1,
  });
  const command = new amazon.AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: account });
  try {
    await client.send(command, { abortSignal: AbortSignal.timeout(patience) });
  } catch (cause) {
    if (!(cause instanceof amazon.UserNotFoundException)) throw new AppError('unavailable', { cause });
  } finally {
    client.destroy();
  }
}
