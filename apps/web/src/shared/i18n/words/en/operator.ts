/** The operators' door, and what their readers are told of their plan. */
export const operator = {
  title: 'Sign in with your operator',
  working: 'Signing you in with {operator}…',
  dataError: 'The login platform could not be identified.',
  serverError:
    'We apologize, but there was an issue processing your authentication request. Please try again later.',
  unsigned: 'This link does not come from {operator}. Open Escucho from your operator’s page.',
  used: 'This link has been used, or is too old: each one works once, for a few minutes. Get a new one from {operator}.',
  unsubscribed: '{operator} says that there is no active subscription for this number.',
  toOperator: 'Go to {operator}',
  toSignIn: 'Other ways to sign in',
  openInApp: 'Open in app',
  openInAppText:
    'If you have the Escucho app, you can open this link in it. Or continue here in the browser.',
  continueInBrowser: 'Continue in browser',

  servedBy: 'Served by {operator}',
  active: 'Your subscription is active',
  renews: '{operator} renews it automatically until you cancel. Nothing is charged here.',
  lasts: 'It lasts as long as your plan with {operator}. Nothing is charged here.',
  ended: 'Your subscription has ended',
  endedText: '{operator} told us so on {date}. Subscribe again there, and everything plays.',
  needed: '{operator} says that your plan has ended. Subscribe again there, and this plays.',
  howToCancel: 'How to cancel',
  cancelSalir: 'Send the word SALIR by SMS to {number}.',
  cancelNumber: 'Subscribe or cancel by SMS to {number}.',
  cancelOperator: 'Cancel with {operator}, in the same way as you subscribed.',
  readTerms: 'Terms and conditions',
} as const;
