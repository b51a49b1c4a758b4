/**
 * The page's own address for mailed links. The token behind it, `#token_hash=…&type=…`, is spent only after a press.
 */
export const mailedLinkPath = '/enlace'

/** The `type` of a link that takes back a second factor. The page posts its token as one of type `recovery`. */
export const undoLinkType = 'second_factor'

/** The `type` of a link that confirms an address that the bank asked for. The page posts its token as `email_change`. */
export const confirmAddressLinkType = 'address_confirmation'

/** The `type` of a link that cancels such a change. The page posts its token as `email_change`. */
export const cancelAddressLinkType = 'address_cancellation'
