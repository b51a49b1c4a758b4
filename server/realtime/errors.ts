/** The refusals of the realtime surface. */

/** JSON answers to requests that do not become a socket. */
export const upgradeRefusals = {
  origin: { status: 403, error: 'Origin not allowed' },
  address: { status: 404, error: 'Not found' },
  /** The request is not a WebSocket handshake of RFC 6455. */
  handshake: { status: 426, error: 'This address speaks WebSocket' },
  /** `vsn` is not 2.0.0. */
  version: { status: 400, error: 'Unsupported protocol version' },
} as const

/** The `reason` of a refused push, for example a join. The text is upstream's if upstream has the error. */
export const reasons = {
  /** The topic does not begin with `realtime:`, or was not joined on this socket. */
  unmatchedTopic: 'unmatched topic',
  /** The message is longer than a frame may be. */
  tooLong: 'payload_size_exceeded',
  malformedJoin: 'MalformedJoinPayload: The join payload is not valid',
  /** The socket has sent more messages in this second than the limit allows. */
  tooManyJoins: 'ClientJoinRateLimitReached: Too many joins per second',
  tooManyChannels: 'ChannelRateLimitReached: Too many channels',
  tooManySockets: 'ConnectionRateLimitReached: Too many connected users',
  /** The database could not check the session. Worth a retry. */
  unavailable: 'UnableToConnectToProject: The database cannot be reached',
  /** The channel is private. This server does not have the policies for private channels. */
  privateChannel: (channel: string) =>
    `Unauthorized: You do not have permissions to read from this Channel topic: ${channel}`,
  /** The message is a broadcast. */
  broadcast: 'BroadcastNotSupported: This server sends changes of tables only',
  /** The message is a join with presence or a presence push. */
  presence: 'PresenceNotSupported: This server sends changes of tables only',
  invalidToken: (why: string) => `InvalidJWTToken: ${why}`,
} as const

/** The `message` of a `system` frame with status `error`. */
export const systemMessages = {
  /** The token has expired; the channel closes. */
  tokenExpired: (seconds: number) => `Token has expired ${seconds} seconds ago`,
  /** The session was ended or revoked, or its user banned or deleted; the channel closes. */
  sessionEnded: 'Session from session_id claim in JWT does not exist',
  /** The filter is invalid or uses an unsupported feature; nothing is subscribed. */
  filter: (why: string) => `Error parsing \`filter\` params: ${why}`,
  /** The client chose columns with `select`, which this server does not support; nothing is subscribed. */
  columns: 'Unable to subscribe to changes with given parameters. Columns cannot be chosen with `select`',
  /** The table is not published, or the role may not read it; nothing is subscribed. */
  notPublished: (parameters: string) =>
    `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${parameters}]`,
} as const

/** Codes with which the server closes sockets (RFC 6455, section 7.4.1). */
export const closeCodes = {
  /** The server is closing. */
  goingAway: 1001,
  /** The text is not a frame of the protocol. */
  malformed: 1007,
  /** The client sent too many messages, joined no channel, or stayed silent. */
  policy: 1008,
} as const
