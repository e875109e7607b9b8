/** The subscribe modal. */
export const subscription = {
  headline: 'Listen to everything',
  lead: 'This one is for subscribers. You can hear the newest article free, as often as you like.',
  featureAll: 'Every article, audiobook and visual book',
  featureText: 'The text beside the voice, sentence by sentence',
  featurePlace: 'Your place kept on every device',
  soon: 'Checkout opens in a later release. Nothing can be bought yet, and nothing is charged.',
  close: 'Keep exploring',
} as const;
