import { billingApi, buildPath } from '@escucho/contracts';
import { PermanentMailError } from '@escucho/service-kit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmailOutbox } from '../index.ts';
import { DAY, keys, startProvider } from '../testing/provider.ts';
import { createNotificationEmailService } from './service.ts';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

const sent: Letter[] = [];
const conduct: { fails: Error | undefined } = { fails: undefined };
const mailTransport = {
  async send(letter: Letter) {
    if (conduct.fails) throw conduct.fails;
    sent.push(letter);
  },
  close() {},
};
const { newUser, buy, advanceClock, post, send, time, db, clock } = await startProvider();
const { refund: giveBack, choosePlan, deleteSubscriber: remove } = billingApi.subscribers;
const managementUrl = 'https://escucho.test/settings/subscription';
const notices = createNotificationEmailService({ db, mailTransport, managementUrl, report: () => {}, clock });
const subjectsTo = (email: string) =>
  sent.filter(({ to }) => to === email).map(({ subject }) => subject.split(' · ')[0]);

beforeEach(() => {
  conduct.fails = undefined;
});

/** Somebody whose card has failed since the purchase, so many days ago. */
async function unpaid(email: string, days: number, charges = 'failed'): Promise<string> {
  const user = newUser();
  await buy(user, { email });
  await post('/sandbox/card', { app_user_id: user, charges });
  await advanceClock(user, days * DAY);
  return user;
}

describe('mail about a renewal that could not be paid', () => {
  it('[RCB-02] tells so once, then of the last try, then of the end', async () => {
    await unpaid('dun@reader.test', 40);
    await notices.round();
    expect(subjectsTo('dun@reader.test')).toEqual([
      'Your Escucho subscription could not be renewed',
      'Your Escucho subscription is about to end',
      'Your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'dun@reader.test')?.text).toMatch(
      /\$3\.00[\s\S]*https:\/\/escucho\.test\/settings\/subscription[\s\S]*tarjeta/,
    );
  });

  it('[RCB-02] of another plan names that plan’s price, to the end', async () => {
    const user = newUser();
    await buy(user, { email: 'dearer@reader.test' });
    const address = buildPath(choosePlan, { params: { appUserId: user } });
    await send(choosePlan.method, address, { product: 'escucho_yearly' }, keys.secret);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 40 * DAY);
    await notices.round();
    const texts = sent.filter(({ to }) => to === 'dearer@reader.test').map(({ text }) => text);
    expect(texts.map((text) => /\$\d+\.\d\d/.exec(text)?.[0])).toEqual(['$27.00', '$27.00', '$27.00']);
  });

  it('[RCB-02] that the bank wants confirmed leads to where that is done, once, then tells of the end', async () => {
    await unpaid('bank@reader.test', 40, 'authentication_required');
    await notices.round();
    expect(subjectsTo('bank@reader.test')).toEqual([
      'Please confirm the payment of your Escucho subscription',
      'Your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'bank@reader.test')?.text).toMatch(
      /confirm the \$3\.00[\s\S]*https:\/\/escucho\.test\/settings\/subscription[\s\S]*Tu banco quiere/,
    );
  });

  it('[RCB-02] waits while the mail server does not take it, and is given up where it never will', async () => {
    conduct.fails = new Error('SMTP 451');
    await unpaid('later@reader.test', 31);
    const attempts = async () =>
      (await db.selectFrom('notice').select('attempts').execute()).map((row) => row.attempts);
    await notices.round();
    expect(await attempts()).toEqual([1]);
    conduct.fails = new PermanentMailError('SMTP 550');
    time.now += 5000;
    await notices.round();
    expect(await attempts()).toEqual([]);
    expect(subjectsTo('later@reader.test')).toEqual([]);
  });

  it('[SHELL-03] goes to nobody who was forgotten, and is not kept', async () => {
    const user = await unpaid('gone@reader.test', 31);
    const address = buildPath(remove, { params: { appUserId: user } });
    expect((await send(remove.method, address, undefined, keys.secret)).status).toBe(200);
    await notices.round();
    expect(subjectsTo('gone@reader.test')).toEqual([]);
    expect(await db.selectFrom('notice').select('id').execute()).toEqual([]);
  });

  it('[RCB-02] goes out by itself where there is a mail server', async () => {
    const { newUser, buy, advanceClock, post } = await startProvider({ mailTransport });
    const user = newUser();
    await buy(user, { email: 'itself@reader.test' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    // However long the machine takes: the round is the server's own.
    await vi.waitFor(() => expect(subjectsTo('itself@reader.test')).toHaveLength(1), { timeout: 25_000 });
  });

  it('[RCB-02] stays here to be read where there is no mail server', async () => {
    const { newUser, buy, advanceClock, post, connection } = await startProvider();
    const user = newUser();
    await buy(user, { email: 'kept@reader.test' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    const { list, close } = openEmailOutbox({ connection, managementUrl: 'https://escucho.test' });
    expect(await list('kept@reader.test')).toMatchObject([{ to: 'kept@reader.test', code: null }]);
    expect(await list('other@reader.test')).toEqual([]);
    await close();
  });
});

describe('mail about money that goes back', () => {
  const refund = (user: string, receipt: string) => {
    const params = { appUserId: user, receipt };
    return send(giveBack.method, buildPath(giveBack, { params }), undefined, keys.secret);
  };
  const dispute = (user: string, status: string) => post('/sandbox/dispute', { app_user_id: user, status });

  it('[RCB-02] given back: says so once, and that the subscription has ended with it', async () => {
    const user = newUser();
    const receipt = await buy(user, { email: 'back@reader.test' });
    for (let times = 0; times < 2; times += 1) await refund(user, receipt);
    await notices.round();
    expect(subjectsTo('back@reader.test')).toEqual([
      'We have given your money back: your Escucho subscription has ended',
    ]);
    expect(sent.find(({ to }) => to === 'back@reader.test')?.text).toMatch(
      /given back the \$3\.00[\s\S]*https:\/\/escucho\.test[\s\S]*Te devolvimos los/,
    );
  });

  it('[RCB-02] of an earlier payment leaves the subscription as it is, and says so', async () => {
    const user = newUser();
    const receipt = await buy(user, { email: 'earlier@reader.test' });
    await advanceClock(user, 31 * DAY);
    await refund(user, receipt);
    await notices.round();
    expect(subjectsTo('earlier@reader.test')).toEqual(['We have given you money back']);
  });

  it.each(['lost', 'won'])(
    '[RCB-02] wanted by the bank: says so once, whether it is %s in the end',
    async (end) => {
      const [user, email] = [newUser(), `bank-${end}@reader.test`];
      await buy(user, { email });
      for (const status of ['open', 'open', end]) await dispute(user, status);
      await notices.round();
      expect(subjectsTo(email)).toEqual([
        'Your bank took a payment back: your Escucho subscription has ended',
      ]);
      expect(sent.find(({ to }) => to === email)?.text).toMatch(/wants back the \$3\.00[\s\S]*reclama los/);
    },
  );

  it('[RCB-02] wanted by the bank, and heard of when it was won, takes nothing and says nothing', async () => {
    const user = newUser();
    await buy(user, { email: 'late-won@reader.test' });
    await dispute(user, 'won');
    await notices.round();
    expect(subjectsTo('late-won@reader.test')).toEqual([]);
  });
});
