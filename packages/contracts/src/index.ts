import * as auth from './endpoints/auth.ts';
import * as catalogue from './endpoints/catalogue.ts';
import * as favourites from './endpoints/favourites.ts';
import * as history from './endpoints/history.ts';
import * as listening from './endpoints/listening.ts';
import * as notifications from './endpoints/notifications.ts';
import * as playlists from './endpoints/playlists.ts';
import * as settings from './endpoints/settings.ts';

/** Every endpoint of the own API, by noun. */
export const api = { auth, catalogue, favourites, history, listening, notifications, playlists, settings };

export { type PublicConfig, publicConfig } from './config.ts';
export {
  type Answered,
  addressOf,
  type Endpoint,
  endpoint,
  formOf,
  type Received,
  type Sent,
} from './endpoint.ts';
export type { Article } from './entities/article.ts';
export type { Figures, Heard } from './entities/history.ts';
export type { Notification } from './entities/notification.ts';
export type { Playlist } from './entities/playlist.ts';
export type { ProgressCause, ProgressEntry } from './entities/progress.ts';
export type { Settings, SettingsChange } from './entities/settings.ts';
export type { ContinueListening, Track } from './entities/track.ts';
export type { Subscription, User } from './entities/user.ts';
export {
  AppError,
  type ErrorBody,
  type ErrorCode,
  errorBody,
  errorStatus,
  type FieldFault,
  isErrorCode,
} from './errors.ts';
export { line } from './fields.ts';
export * from './forms.ts';
export { limits } from './limits.ts';
export { en, isMessageKey, type MessageKey } from './messages/en.ts';
