import { findAuditEvents } from '@escucho/audit';
import { api } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, send, createUser, billing, db } = await startPortal();
const { exportAccount, deleteAccount } = api.account;

it('[SHELL-03] an export leaves no event about a user who is deleted at the same time', async () => {
  const { id, token } = await createUser();
  await call(api.auth.me, token, {});
  billing.requests.length = 0;
  let respond = () => {};
  billing.behavior.responseDelay = new Promise((resolve) => {
    respond = resolve;
  });
  const exported = send(exportAccount, { token });
  await expect.poll(() => billing.requests.length).toBe(1);
  await call(deleteAccount, token, {});
  respond();
  const response = await exported;
  expect(await findAuditEvents(db, { userId: id }, 10)).toEqual([]);
  expect([response.statusCode, response.json().error?.code]).toEqual([401, 'unauthorized']);
});
