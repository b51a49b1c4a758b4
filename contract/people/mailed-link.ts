/**
 * Path of the page that opens mailed links. The fragment `#token_hash=…&type=…` contains the token, which the page uses
 * only after the user presses a button.
 */
export const mailedLinkPath = '/enlace'

/**
 * The `type` in a link that removes a newly added second factor. The page sends the link's token with the type
 * `recovery`.
 */
export const undoLinkType = 'second_factor'

/**
 * The `type` in a link that confirms an email change that the bank started. The page sends the link's token with the
 * type `email_change`.
 */
export const confirmAddressLinkType = 'address_confirmation'

/**
 * The `type` in a link that cancels an email change that the bank started. The page sends the link's token with the
 * type `email_change`.
 */
export const cancelAddressLinkType = 'address_cancellation'

/**
 * The `type` in a link that stops the mails of one kind of notification. The page sends the link's token with the type
 * `email`.
 */
export const stopNoticesLinkType = 'stop_notices'

/**
 * The `type` in a link that stops the mails to an administrator about requests. The page sends the link's token with
 * the type `email`.
 */
export const stopRequestNoticesLinkType = 'stop_request_notices'
