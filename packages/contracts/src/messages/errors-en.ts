/** The words of error codes in English; the keys are what errors name. */
export const errors = {
  invalid_request: 'Something in the request is not right.',
  unauthorized: 'Please sign in to go on.',
  token_expired: 'Your session has ended. Please sign in again.',
  subscription_required: 'This needs an active subscription.',
  forbidden: 'You may not do this.',
  link_expired: 'This link has expired.',
  not_found: 'We could not find this.',
  method_not_allowed: 'This address does not answer that method.',
  conflict: 'This was changed elsewhere in the meantime.',
  limit_reached: 'There is no room for more.',
  payload_too_large: 'This is too large.',
  unsupported_media_type: 'This format is not understood here.',
  range_not_satisfiable: 'That part of the file does not exist.',
  too_many_requests: 'Too many tries. Please wait a moment.',
  internal: 'An unexpected error occurred',
  unavailable: 'The service is not available right now. Please try again soon.',
} as const;
