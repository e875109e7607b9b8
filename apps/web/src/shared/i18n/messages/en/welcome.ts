/** Messages of the page for visitors without an account. */
export const messages = {
  welcome: {
    metaTitle: 'Escucho: learn Spanish or English by listening',
    title: 'Stories in the language you are learning, read to you',
    lead: 'Articles, audiobooks and picture books in Spanish and English. Each has a level, a narrator and its text, which lights up sentence by sentence while you listen.',
    signUp: 'Create an account',
    signIn: 'Sign in',
    open: 'Open Escucho',
    free: 'Free to begin, without a card.',
    listenTo: 'I want to listen to',
    sample: 'Listen to one now',
    narrator: 'read by {name}',
    position: 'Position',
    sampleFailed: 'The recording did not load.',
    whom: 'For everybody who reads it better than they hear it',
    whomText:
      'On paper you know the words. Then somebody says them, and they are gone before you have found them. Escucho is for practising just that: a good story at your level, ten minutes at a time, on the bus or over the dishes.',
    title_level: 'From A1 to C2',
    text_level:
      'You say how much you understand, and you are shown what suits you. Search has everything else.',
    title_languages: 'Spanish from English, English from Spanish',
    text_languages: 'Translations are in the other language, and all of Escucho is in both.',
    title_reading: 'The text beside the voice',
    text_reading:
      'The sentence you hear is highlighted. Press another one to hear it; show translations when you need them.',
    title_practice: 'One sentence as often as you like',
    text_practice:
      'Repeat it, slow it down to half the speed, or let the voice wait after each sentence so that you can say it too.',
    title_devices: 'Where you stopped, on every device',
    text_devices: 'Positions, lists and bookmarks are the same on phone, tablet and computer.',
    newestEn: 'New in English',
    newestEs: 'New in Spanish',
    articles_one: '{n} title so far',
    articles_other: '{n} titles so far',
    plans: 'What it costs',
    plansText:
      'Without a plan you can listen to the newest article, and to one at your level, as often as you like. With a plan everything is open.',
  },
} as const;
