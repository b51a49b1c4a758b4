/** The refusals of the realtime surface. */

/** Answers to a request that does not become a socket, as JSON. */
export const upgradeRefusals = {
  origin: { status: 403, error: 'Origin not allowed' },
  address: { status: 404, error: 'Not found' },
  /** The request does not ask for a WebSocket as RFC 6455 requires. */
  handshake: { status: 426, error: 'This address speaks WebSocket' },
  /** `vsn` is not 2.0.0. */
  version: { status: 400, error: 'Unsupported protocol version' },
} as const

/** The `reason` of a join, or another push, that was answered with an error (upstream's words where it has them). */
export const reasons = {
  /** The topic is not `realtime:…`, or was not joined on this socket. */
  unmatchedTopic: 'unmatched topic',
  /** The message is longer than a frame may be. */
  tooLong: 'payload_size_exceeded',
  malformedJoin: 'MalformedJoinPayload: The join payload is not valid',
  /** More messages of the socket in this second than are obeyed. */
  tooManyJoins: 'ClientJoinRateLimitReached: Too many joins per second',
  tooManyChannels: 'ChannelRateLimitReached: Too many channels',
  tooManySockets: 'ConnectionRateLimitReached: Too many connected users',
  /** The database could not say whether the session is alive: worth trying again. */
  unavailable: 'UnableToConnectToProject: The database cannot be reached',
  /** Private channels need policies that this server does not have. */
  privateChannel: (channel: string) =>
    `Unauthorized: You do not have permissions to read from this Channel topic: ${channel}`,
  /** A broadcast to a channel. */
  broadcast: 'BroadcastNotSupported: This server sends changes of tables only',
  /** A join with presence, or a presence push. */
  presence: 'PresenceNotSupported: This server sends changes of tables only',
  invalidToken: (why: string) => `InvalidJWTToken: ${why}`,
} as const

/** The `message` of a `system` frame with status `error`. */
export const systemMessages = {
  /** The token's time is over; the channel closes. */
  tokenExpired: (seconds: number) => `Token has expired ${seconds} seconds ago`,
  /** Signed out, revoked, banned or deleted; the channel closes. */
  sessionEnded: 'Session from session_id claim in JWT does not exist',
  /** A filter that cannot be read, or asks for what is not offered; nothing is subscribed. */
  filter: (why: string) => `Error parsing \`filter\` params: ${why}`,
  /** A choice of columns (`select`), which is not offered; nothing is subscribed. */
  columns: 'Unable to subscribe to changes with given parameters. Columns cannot be chosen with `select`',
  /** A table that is not published, or that the role may not read; nothing is subscribed. */
  notPublished: (parameters: string) =>
    `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${parameters}]`,
} as const

/** Codes with which sockets are closed (RFC 6455, section 7.4.1). */
export const closeCodes = {
  /** The server ends. */
  goingAway: 1001,
  /** The text is not a frame of the protocol. */
  malformed: 1007,
  /** The client sent too many messages, joined nothing, or fell silent. */
  policy: 1008,
} as const
