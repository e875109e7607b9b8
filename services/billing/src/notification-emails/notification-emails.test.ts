import { billingApi } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { PermanentMailError } from '@escucho/service-kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEmailOutbox } from '../index.ts';
import { jobQueue } from '../jobs.ts';
import { DAY, startProvider } from '../testing/provider.ts';

interface Mail {
  to: string;
  subject: string;
  text: string;
}

const sent: Mail[] = [];
const mailServer: { error: Error | undefined } = { error: undefined };
const mailTransport = {
  async send(mail: Mail) {
    if (mailServer.error) throw mailServer.error;
    sent.push(mail);
  },
  close() {},
};
const { newUser, buy, advanceClock, post, callApi, refund, db } = await startProvider({ mailTransport });
const { choosePlan, deleteSubscriber, pay } = billingApi;
const listSubjects = (email: string) =>
  sent.filter(({ to }) => to === email).map(({ subject }) => subject.split(' · ')[0]);

beforeEach(() => {
  mailServer.error = undefined;
});

/** Creates a user whose card has failed since a purchase so many days ago. */
async function createUnpaidUser(email: string, days: number, charges = 'failed'): Promise<string> {
  const user = newUser();
  await buy(user, { email });
  await post('/sandbox/card', { app_user_id: user, charges });
  await advanceClock(user, days * DAY);
  return user;
}

describe('e-mail about an unpaid renewal', () => {
  it('[RCB-02] is sent at the first failure, the last attempt and the end', async () => {
    await createUnpaidUser('dun@user.test', 40);
    await settleJobs(db, jobQueue);
    expect(listSubjects('dun@user.test')).toEqual([
      'Your Escucho subscription could not be renewed',
      'Your Escucho subscription is about to end',
      'Your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'dun@user.test')?.text).toMatch(
      /\$3\.00[\s\S]*https:\/\/escucho\.test\/settings\/subscription[\s\S]*tarjeta/,
    );
  });

  it('[RCB-02] is not sent again where its owner pays and the card is refused', async () => {
    const user = await createUnpaidUser('again@user.test', 36);
    for (let times = 0; times < 3; times += 1) {
      const { body } = await callApi(pay, user);
      expect(body.current.billingIssueAt).not.toBeNull();
    }
    await settleJobs(db, jobQueue);
    expect(listSubjects('again@user.test')).toEqual([
      'Your Escucho subscription could not be renewed',
      'Your Escucho subscription is about to end',
    ]);
  });

  it('[RCB-02] names the price of the chosen plan', async () => {
    const user = newUser();
    await buy(user, { email: 'upgraded@user.test' });
    await callApi(choosePlan, user, { product: 'escucho_yearly' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 40 * DAY);
    await settleJobs(db, jobQueue);
    const texts = sent.filter(({ to }) => to === 'upgraded@user.test').map(({ text }) => text);
    expect(texts.map((text) => /\$\d+\.\d\d/.exec(text)?.[0])).toEqual(['$27.00', '$27.00', '$27.00']);
  });

  it('[RCB-02] asks once for the bank’s confirmation, then reports the end', async () => {
    await createUnpaidUser('bank@user.test', 40, 'authentication_required');
    await settleJobs(db, jobQueue);
    expect(listSubjects('bank@user.test')).toEqual([
      'Please confirm the payment of your Escucho subscription',
      'Your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'bank@user.test')?.text).toMatch(
      /confirm the \$3\.00[\s\S]*https:\/\/escucho\.test\/settings\/subscription[\s\S]*Tu banco quiere/,
    );
  });

  it('[RCB-02] waits for the mail server, and is dropped when it is refused for good', async () => {
    mailServer.error = new Error('SMTP 451');
    await createUnpaidUser('delayed@user.test', 31);
    const countUnsent = async () => (await db.selectFrom('notification_email').select('id').execute()).length;
    await settleJobs(db, jobQueue);
    expect(await countUnsent()).toBe(1);
    mailServer.error = new PermanentMailError('SMTP 550');
    await settleJobs(db, jobQueue, { advanceMs: 5000 });
    expect(await countUnsent()).toBe(0);
    expect(listSubjects('delayed@user.test')).toEqual([]);
  });

  it('[RCB-02] that waited for the mail server is sent before those that follow', async () => {
    mailServer.error = new Error('SMTP 451');
    const user = await createUnpaidUser('in-order@user.test', 31);
    await settleJobs(db, jobQueue);
    mailServer.error = undefined;
    await advanceClock(user, 5 * DAY);
    await settleJobs(db, jobQueue);
    const subjects = [
      'Your Escucho subscription could not be renewed',
      'Your Escucho subscription is about to end',
    ];
    expect(listSubjects('in-order@user.test')).toEqual(subjects);
    await settleJobs(db, jobQueue, { advanceMs: 5000 });
    expect(listSubjects('in-order@user.test')).toEqual(subjects);
  });

  it('[SHELL-03] is not sent or stored for a deleted subscriber', async () => {
    mailServer.error = new Error('SMTP 451');
    const user = await createUnpaidUser('gone@user.test', 31);
    await settleJobs(db, jobQueue);
    expect((await callApi(deleteSubscriber, user)).status).toBe(200);
    mailServer.error = undefined;
    await settleJobs(db, jobQueue, { advanceMs: 5000 });
    expect(listSubjects('gone@user.test')).toEqual([]);
    expect(await db.selectFrom('notification_email').select('id').execute()).toEqual([]);
  });

  it('[RCB-02] stays in the database where there is no mail server', async () => {
    const { newUser, buy, advanceClock, post, connection, db } = await startProvider();
    const user = newUser();
    await buy(user, { email: 'stored@user.test' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    await settleJobs(db, jobQueue);
    const { list, close } = openEmailOutbox({ connection, managementUrl: 'https://escucho.test' });
    expect(await list('stored@user.test')).toMatchObject([{ to: 'stored@user.test', code: null }]);
    expect(await list('other@user.test')).toEqual([]);
    await close();
  });
});

describe('e-mail about refunds and disputes', () => {
  const dispute = (user: string, status: string) => post('/sandbox/dispute', { app_user_id: user, status });

  it('[RCB-02] a full refund is reported once, with the end of the subscription', async () => {
    const user = newUser();
    const receipt = await buy(user, { email: 'refunded@user.test' });
    for (let times = 0; times < 2; times += 1) await refund(user, receipt);
    await settleJobs(db, jobQueue);
    expect(listSubjects('refunded@user.test')).toEqual([
      'We have given your money back: your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'refunded@user.test')?.text).toMatch(
      /given back the \$3\.00[\s\S]*https:\/\/escucho\.test[\s\S]*Te devolvimos los/,
    );
  });

  it('[RCB-02] a refund of an earlier payment is reported and ends nothing', async () => {
    const user = newUser();
    const receipt = await buy(user, { email: 'earlier@user.test' });
    await advanceClock(user, 31 * DAY);
    await refund(user, receipt);
    await settleJobs(db, jobQueue);
    expect(listSubjects('earlier@user.test')).toEqual(['We have given you money back']);
  });

  it.each(['lost', 'won'])('[RCB-02] a dispute is reported once, also when it is %s', async (end) => {
    const user = newUser();
    const email = `bank-${end}@user.test`;
    await buy(user, { email });
    for (const status of ['open', 'open', end]) await dispute(user, status);
    await settleJobs(db, jobQueue);
    expect(listSubjects(email)).toEqual([
      'Your bank took a payment back: your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === email)?.text).toMatch(/wants back the \$3\.00[\s\S]*reclama los/);
  });

  it('[RCB-02] a dispute first reported as won sends nothing', async () => {
    const user = newUser();
    await buy(user, { email: 'late-won@user.test' });
    await dispute(user, 'won');
    await settleJobs(db, jobQueue);
    expect(listSubjects('late-won@user.test')).toEqual([]);
  });
});
