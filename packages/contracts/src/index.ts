/** The endpoints of the API, by noun. */
export * as api from './api.ts';
export { type PublicConfig, publicConfig, TAG_MANAGER_PATH } from './config.ts';
export {
  buildPath,
  type Endpoint,
  endpoint,
  type ParsedRequest,
  type RequestInput,
  type ResponseBody,
  toFormBody,
} from './endpoint.ts';
export type { Bookmark, BookmarkEntry } from './endpoints/bookmarks.ts';
export type { Session } from './endpoints/identity.ts';
/** The identity provider's endpoints beyond Cognito's JSON operations. */
export * as identityApi from './endpoints/identity.ts';
export type {
  HistoryEntry,
  ListeningStatistics,
  ProgressCause,
  ProgressEntry,
} from './endpoints/listening.ts';
export type { Notification } from './endpoints/notifications.ts';
export type { OperatorLink } from './endpoints/operators.ts';
export type { Settings, SettingsChange } from './endpoints/settings.ts';
/** The billing provider's endpoints for servers, beyond RevenueCat's protocol. */
export * as billingApi from './endpoints/subscribers.ts';
export type { Preview, Sample } from './endpoints/visitors.ts';
export {
  type Article,
  type ContinueListening,
  contentKind,
  contentLanguage,
  type DeviceKind,
  type Facets,
  favouritesName,
  languageNames,
  lengthBand,
  level,
  type Playlist,
  playlistForm,
  type SearchHit,
  type Track,
  track,
} from './entities/catalogue.ts';
export {
  type CardSetup,
  formatMoney,
  type PaymentConfirmation,
  type PaymentResult,
  type Plan,
  type PurchasedSubscription,
  type Receipt,
  type SubscriptionManagement,
} from './entities/plan.ts';
export { type SecurityEvent, securityEventTypes } from './entities/security-event.ts';
export {
  getLevelDistance,
  getSuitableLevels,
  isSuitable,
  type Learning,
  operatorNames,
  type Platform,
  platforms,
  type Subscription,
  type User,
} from './entities/user.ts';
export {
  AppError,
  type ErrorBody,
  type ErrorCode,
  errorBody,
  errorStatus,
  type FieldError,
  type FieldProblem,
  isErrorCode,
} from './errors.ts';
export {
  type Device,
  isBillingEmail,
  replaceControlCharacters,
  singleLineText,
  truncateText,
} from './fields.ts';
export * from './forms.ts';
export { limits } from './limits.ts';
export { en, isMessageKey, type MessageKey } from './messages/en.ts';
export { type RateLimit, type RateLimitName, rateLimits } from './rate-limits.ts';
