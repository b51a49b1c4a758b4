/** The errors with which `/realtime/v1` refuses requests, messages and subscriptions. */

/** JSON error responses to requests that cannot become a socket. */
export const upgradeRefusals = {
  origin: { status: 403, error: 'Origin not allowed' },
  address: { status: 404, error: 'Not found' },
  /** The request is not a WebSocket handshake as RFC 6455 defines it. */
  handshake: { status: 426, error: 'This address speaks WebSocket' },
  /** `vsn` is not 2.0.0. */
  version: { status: 400, error: 'Unsupported protocol version' },
} as const

/**
 * The `reason` with which a push, such as a join, is refused. The text is the same as upstream's if upstream has this
 * error.
 */
export const reasons = {
  /** The topic does not begin with `realtime:`, or this socket has not joined it. */
  unmatchedTopic: 'unmatched topic',
  /** The message exceeds the maximum size of a frame. */
  tooLong: 'payload_size_exceeded',
  malformedJoin: 'MalformedJoinPayload: The join payload is not valid',
  /** The socket has sent more messages within one second than the limit allows. */
  tooManyJoins: 'ClientJoinRateLimitReached: Too many joins per second',
  tooManyChannels: 'ChannelRateLimitReached: Too many channels',
  tooManySockets: 'ConnectionRateLimitReached: Too many connected users',
  /** The database could not check the session. The client should try again. */
  unavailable: 'UnableToConnectToProject: The database cannot be reached',
  /** The channel is private. This server does not support the policies that private channels need. */
  privateChannel: (channel: string) =>
    `Unauthorized: You do not have permissions to read from this Channel topic: ${channel}`,
  broadcast: 'BroadcastNotSupported: This server sends changes of tables only',
  /** The message is a presence push, or a join that requests presence. */
  presence: 'PresenceNotSupported: This server sends changes of tables only',
  invalidToken: (why: string) => `InvalidJWTToken: ${why}`,
} as const

/** The `message` in a `system` frame whose status is `error`. */
export const systemMessages = {
  /** The token has expired. The channel closes. */
  tokenExpired: (seconds: number) => `Token has expired ${seconds} seconds ago`,
  /** The session was ended or revoked, or its user was banned or deleted. The channel closes. */
  sessionEnded: 'Session from session_id claim in JWT does not exist',
  /** The filter is invalid or uses an unsupported feature. The channel gets no subscriptions. */
  filter: (why: string) => `Error parsing \`filter\` params: ${why}`,
  /** The client chose columns with `select`, which this server does not support. The channel gets no subscriptions. */
  columns: 'Unable to subscribe to changes with given parameters. Columns cannot be chosen with `select`',
  /** The table is not published, or the role may not read it. The channel gets no subscriptions. */
  notPublished: (parameters: string) =>
    `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${parameters}]`,
} as const

/** The status codes with which the server closes sockets (RFC 6455, section 7.4.1). */
export const closeCodes = {
  /** The server is closing. */
  goingAway: 1001,
  /** The client sent text that is not a frame of the protocol. */
  malformed: 1007,
  /** The client sent too many messages, joined no channel, or stayed silent. */
  policy: 1008,
} as const
