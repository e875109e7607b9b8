/** The terms for users with an account of their own, and the privacy notice. */
export const messages = {
  legal: {
    lead: 'These terms are for everybody who uses Escucho with an account of their own. Whoever comes through a mobile operator finds the operator’s terms in the menu.',
    title_service: 'What you get',
    text_service:
      'With a plan you can listen to and read everything in Escucho: articles, audiobooks and visual books, on all your devices. Without a plan the newest article and one at your level are free.',
    title_payment: 'Price and payment',
    text_payment:
      'The price, the period and any free trial are shown before you buy, with what is charged today and when the first charge follows. You pay by card, at the beginning of each period. Nothing is charged during a free trial.',
    title_renewal: 'Renewal and cancellation',
    text_renewal:
      'A plan renews at the end of each period until you cancel it. You can cancel at any time in Settings, under Subscription; everything stays open until the end of the time you have paid for.',
    title_refund: 'Refunds',
    text_refund:
      'If we charged something by mistake, write to us and we return it. The rights that the law of your country gives you as a consumer stay as they are.',
    title_use: 'What you may do with it',
    text_use:
      'Texts, voices and pictures are for your own learning. They may not be copied, sold or shown in public. A plan is for one person, on all devices of that person.',
    title_changes: 'Changes',
    text_changes:
      'Before prices or terms change for you, we write to you, and you can cancel before they apply.',
    title_questions: 'Questions',
    text_questions: 'Write to {email}.',
    privacyLead: 'What Escucho knows about you, why, and how you take it with you or delete it.',
    title_stored: 'What we store',
    text_stored:
      'Your name and email address; what you listen to and how far; your playlists, favorites, bookmarks and settings; the devices you are signed in on, and security events such as sign-ins and changes of your password.',
    title_reason: 'Why',
    text_reason:
      'So that you find your place and your lists on every device, and so that nobody else uses your account. We do not sell your data and show no advertising.',
    title_card: 'Cards and payments',
    text_card:
      'Your card number goes to the payment provider only. We store what you bought, when, and whether it was paid.',
    title_others: 'Who else sees something',
    text_others:
      'The payment provider, the provider you choose to sign in with, like Google or Facebook, and the service that delivers our emails: each only what it needs. If you come through a mobile operator, it tells us whether your plan is active.',
    title_device: 'On your device',
    text_device:
      'Your browser stores your sign-in, your settings and what you have not sent yet, so that Escucho works offline. None of it follows you on other sites.',
    title_control: 'Your data are yours',
    text_control:
      'In Settings, under Profile, you can download everything we store about you, and delete your account with all of it. Receipts are kept for the time that the law requires.',
  },
} as const;
