// Namespaces instead of one object, so that bundlers drop unused endpoints.

export * as account from './endpoints/account.ts';
export * as auth from './endpoints/auth.ts';
export * as bookmarks from './endpoints/bookmarks.ts';
export * as catalogue from './endpoints/catalogue.ts';
export * as listening from './endpoints/listening.ts';
export * as notifications from './endpoints/notifications.ts';
export * as operators from './endpoints/operators.ts';
export * as playlists from './endpoints/playlists.ts';
export * as settings from './endpoints/settings.ts';
export * as subscription from './endpoints/subscription.ts';
export * as visitors from './endpoints/visitors.ts';
