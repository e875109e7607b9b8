/** Messages for users of mobile operators. */
export const messages = {
  operator: {
    title: 'Sign in with your operator',
    working: 'Signing you in with {operator}…',
    dataError: 'The login platform could not be identified.',
    serverError:
      'We apologize, but there was an issue processing your authentication request. Please try again later.',
    linkUnsigned: 'This link does not come from {operator}. Open Escucho from your operator’s page.',
    linkUsed:
      'This link has been used, or is too old: each one works once, for a few minutes. Get a new one from {operator}.',
    notSubscribed: '{operator} says that there is no active subscription for this number.',
    planEnded: 'Your plan with {operator} has ended.',
    planEndedText:
      'To keep listening, subscribe again with {operator} and open Escucho from there. To delete your account, open Escucho from there as well: you need no plan.',
    deleteAccountText: 'If you have listened here before, you can delete your account without a plan.',
    deleteAccount: 'Delete account',
    deleteAccountTitle: 'Delete your account?',
    deleteAccountSubtitle:
      'Your playlists, history and progress go with it, on every device. Nobody can bring them back.',
    accountDeleted: 'Your account has been deleted.',
    noAccount:
      'We found no account with this link. If you have one, get a new link from {operator}, or write to us.',
    yourOperator: 'your operator',
    toOperator: 'Go to {operator}',
    toSignIn: 'Other ways to sign in',
    linkReady: 'Your link from {operator} is ready.',
    openInApp: 'Open in app',
    openInAppText:
      'If you have the Escucho app, you can open this link in it. Or continue here in the browser.',
    continueInBrowser: 'Continue in browser',

    servedBy: 'Served by {operator}',
    active: 'Your subscription is active',
    renews: '{operator} renews it automatically until you cancel. Nothing is charged here.',
    lasts: 'It lasts as long as your plan with {operator}. Nothing is charged here.',
    howToCancel: 'How to cancel',
    cancelSalir: 'Send the word SALIR by SMS to {number}.',
    cancelNumber: 'Subscribe or cancel by SMS to {number}.',
    cancelOperator: 'Cancel with {operator}, in the same way as you subscribed.',
  },
  terms: {
    lead: 'These terms apply to everybody who comes to Escucho through a plan with {operator}.',
    serviceTitle: 'What you get',
    service:
      'More than 50,000 articles, with audiobooks and visual books, to read and to hear in the language you are learning, on any device with a browser.',
    access:
      'You come in by a link from {operator}. It is yours alone, works once, and needs no password. While {operator} tells us that your plan is active, everything in the catalog plays.',
    pricesTitle: 'Prices',
    daily: 'Daily',
    weekly: 'Weekly',
    monthly: 'Monthly',
    plusTax: '{price} plus tax',
    taxIncluded: 'Local taxes are included.',
    taxOnTop: 'Taxes are added to the price.',
    pricesOwn:
      '{operator} tells you the price of each plan, taxes included, before you subscribe. It may depend on your line and on offers of the day.',
    charged:
      'The price is charged by {operator}, to your balance or with your bill. Escucho itself charges nothing and never asks for a card. Using data may cost what your line’s tariff says.',
    durationTitle: 'How long it lasts',
    renews:
      'Your plan renews automatically at the end of each period, at the price above, until you cancel it.',
    lasts:
      'Your plan lasts for the period you have chosen with {operator}. We ask {operator} whether it still runs, and go by its answer.',
    afterCancel: 'You can cancel at any time, without giving a reason.',
    whoTitle: 'Who can use it',
    who: 'The service is offered in Ecuador only. It is for adults, and for minors with the consent of a parent or guardian.',
    useTitle: 'What you may do with it',
    use: 'Texts, voices and pictures are for your own learning. They may not be copied, sold or shown in public. A subscription is for one person, on as many devices as that person uses.',
    dataTitle: 'What we know of you',
    data: 'From {operator} we learn whether your plan is active and, where it tells us, your name and email address. We keep what you listen to and your lists, so that you find your place again. You can take a copy of it, or delete it, in your settings.',
    questionsTitle: 'Questions and changes',
    questions:
      'Questions about charges go to {operator}. When prices or terms change, {operator} tells you before they hold for you; if you do not agree, you can cancel at any time.',
  },
} as const;
