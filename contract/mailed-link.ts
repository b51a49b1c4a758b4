/** The page's own address for links from mails: what comes behind it as `#token_hash=…&type=…` is not spent unasked. */
export const mailedLinkPath = '/enlace'

/** The `type` of a link that takes back a second factor. The page posts its token as one of type `recovery`. */
export const undoLinkType = 'second_factor'
