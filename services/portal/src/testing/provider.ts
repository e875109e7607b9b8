/** An identity provider of the tests: what it was asked, and what it answers; none where it is said to be gone. */
export function testProvider() {
  const asked: { what: string; token: unknown }[] = [];
  const conduct: { status: number; fault: string; gone: boolean } = { status: 200, fault: '', gone: false };

  const answers: Record<string, object> = {
    GetUser: { Username: 'u', UserAttributes: [{ Name: 'email', Value: 'ana@reader.test' }] },
    DeleteUser: {},
    sessions: { docs: [] },
  };

  async function send(address: string, { headers, body }: RequestInit): Promise<Response> {
    if (conduct.gone) throw new TypeError('fetch failed');
    const given = new Headers(headers);
    const what = given.get('x-amz-target')?.split('.')[1] ?? address.split('/').at(-1) ?? '';
    const bearer = given.get('authorization')?.replace('Bearer ', '');
    asked.push({ what, token: bearer ?? JSON.parse(String(body)).AccessToken });
    const { status, fault } = conduct;
    return Response.json(status === 200 ? answers[what] : { __type: fault, message: '' }, { status });
  }

  return { asked, conduct, send };
}
