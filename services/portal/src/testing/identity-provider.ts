/** Creates a fake identity provider, with the requests it received and a behavior that tests change. */
export function createFakeIdentityProvider() {
  const asked: { what: string; by: unknown }[] = [];
  const conduct: { status: number; fault: string; gone: boolean; failing: string | undefined } = {
    status: 200,
    fault: '',
    gone: false,
    failing: undefined,
  };

  const answers: Record<string, object> = {
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
    if (conduct.gone) throw new TypeError('fetch failed');
    const given = new Headers(headers);
    const what = given.get('x-amz-target')?.split('.')[1] ?? address.split('/').at(-1) ?? '';
    const bearer = given.get('authorization')?.replace('Bearer ', '');
    asked.push({ what, by: bearer ?? JSON.parse(String(body)).AccessToken });
    const fails = conduct.failing === undefined || conduct.failing === what;
    const { status, fault } = fails ? conduct : { status: 200, fault: '' };
    return Response.json(status === 200 ? answers[what] : { __type: fault, message: '' }, { status });
  }

  const options = {
    endpoint: 'https://identity.test',
    userPoolId: 'local_Test',
    listsSessions: true,
    adminKey: 'a key of the tests',
    send,
  };
  return { asked, conduct, options };
}
