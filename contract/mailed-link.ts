/**
 * Path of the page for mailed links. The fragment `#token_hash=…&type=…` contains the token, which the page uses
 * only after the person presses a button.
 */
export const mailedLinkPath = '/enlace'

/** The `type` of a link that undoes a new second factor. The page posts the link's token with the type `recovery`. */
export const undoLinkType = 'second_factor'

/**
 * The `type` of a link that confirms a change of address that the bank began. The page posts the link's token with the
 * type `email_change`.
 */
export const confirmAddressLinkType = 'address_confirmation'

/**
 * The `type` of a link that cancels a change of address that the bank began. The page posts the link's token with the
 * type `email_change`.
 */
export const cancelAddressLinkType = 'address_cancellation'
