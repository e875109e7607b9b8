/** English messages by error code. */
export const errorMessages = {
  invalid_request: 'Something in the request is not right.',
  unauthorized: 'Please sign in to go on.',
  token_expired: 'Your session has ended. Please sign in again.',
  reauthentication_required: 'Please sign in again to confirm that it is you.',
  operator_plan_ended: 'Your plan with your operator has ended. Renew it and sign in again.',
  subscription_required: 'This needs an active subscription.',
  forbidden: 'You may not do this.',
  link_expired: 'This link has expired.',
  not_found: 'We could not find this.',
  method_not_allowed: 'This address does not support that method.',
  conflict: 'This was changed elsewhere in the meantime.',
  limit_reached: 'There is no room for more. Remove something first.',
  payload_too_large: 'This is too large.',
  unsupported_media_type: 'This format is not understood here.',
  precondition_failed: 'The file is no longer the same.',
  range_not_satisfiable: 'That part of the file does not exist.',
  too_many_requests: 'Too many tries. Please wait a moment.',
  internal: 'An unexpected error occurred',
  unavailable: 'The service is not available right now. Please try again soon.',
} as const;

/** English messages of field errors; schemas refer to their keys. */
export const validationMessages = {
  field_invalid: 'This value is not valid.',
  field_required: 'This field is required',
  field_too_long: 'This is too long.',
  field_control_characters: 'Control characters are not allowed.',
  playlist_name_characters: 'Only letters and numbers are allowed',
  playlist_name_min: 'Must be greater than 5 characters',
  playlist_name_reserved: 'This name is reserved. Please choose another.',
  playlist_limit: 'You have as many playlists as one can have (500). Delete one first.',
  playlist_full: 'A playlist holds 20,000 tracks at most.',
  playlist_too_many: 'At most 500 tracks at once.',
  playlist_added_and_removed: 'A track cannot be added and removed at once.',
  first_name_required: 'FirstName field is required',
  last_name_required: 'Lastname field is required',
  name_min: 'The minimum length for the name field is 2',
  name_max: 'The maximum length for the name field is 60',
  email_required: 'Email field is required',
  email_invalid: 'Please enter a valid email address.',
  password_required: 'Password field is required',
  password_length: 'Minimum number of characters is 8.',
  password_uppercase: 'Should contain uppercase.',
  password_lowercase: 'Should contain lowercase.',
  password_numbers: 'Should contain numbers.',
  password_spaces: 'No spaces at the ends.',
  code_required: 'Confirmation code is required.',
  reset_code_required: 'Confirmation code is required',
} as const;

/** The messages of error codes and field errors. */
export const en = { ...errorMessages, ...validationMessages };

export type MessageKey = keyof typeof en;

/** Returns whether a text is a message key. */
export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(en, text);
}
