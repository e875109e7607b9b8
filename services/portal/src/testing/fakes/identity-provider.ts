/** Creates a fake identity provider, with the requests it received and a behavior that tests change. */
export function createFakeIdentityProvider() {
  const requests: { operation: string; credential: unknown }[] = [];
  const behavior: {
    status: number;
    error: string;
    isUnreachable: boolean;
    /** The only operation that fails; all if undefined. */
    failing: string | undefined;
  } = {
    status: 200,
    error: '',
    isUnreachable: false,
    failing: undefined,
  };

  const responses: Record<string, object> = {
    GetUser: {
      Username: 'ana',
      UserAttributes: [
        { Name: 'sub', Value: 'ana-1' },
        { Name: 'email', Value: 'ana@reader.test' },
      ],
    },
    AdminDeleteUser: {},
    sessions: { docs: [] },
  };

  async function send(address: string, { headers, body }: RequestInit): Promise<Response> {
    if (behavior.isUnreachable) throw new TypeError('fetch failed');
    const received = new Headers(headers);
    const operation = received.get('x-amz-target')?.split('.')[1] ?? address.split('/').at(-1) ?? '';
    const bearer = received.get('authorization')?.replace('Bearer ', '');
    requests.push({ operation, credential: bearer ?? JSON.parse(String(body)).AccessToken });
    const fails = behavior.failing === undefined || behavior.failing === operation;
    const { status, error } = fails ? behavior : { status: 200, error: '' };
    return Response.json(status === 200 ? responses[operation] : { __type: error, message: '' }, { status });
  }

  const options = {
    endpoint: 'https://identity.test',
    userPoolId: 'local_Test',
    listsSessions: true,
    adminKey: 'a key of the tests',
    send,
  };
  return { requests, behavior, options };
}
