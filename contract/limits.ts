/** The limits of page and server, with units in their names. Source: docs/specification.md §9, unless a comment names another. */

/** Maximum rows in the dashboard's list of latest transactions. */
export const dashboardTransactionsMax = 5

/** Delay between the entrance animations of two rows (docs/specification.md §2). */
export const rowStaggerSeconds = 0.05

/** Maximum rows in one answer of the table API; also the default of a hosted project. */
export const restRowsMax = 1000
/** Maximum rows of one write of the table API; `import_transactions` and `create_batch` take more. */
export const restWriteRowsMax = 500

/** Lowest balance, in units of currency, that a customer's own expense may leave. */
export const ownBalanceMin = -1_000_000_000_000

/** Maximum characters of text fields, counted in code points (security.md IN-05). */
export const descriptionLengthMax = 200
export const categoryLengthMax = 50
export const fullNameLengthMax = 120
/** Maximum characters of a name on a statement. A longer text could be a sentence in place of a name. */
export const statementNameLengthMax = 60
/** Maximum length of a one-line setting, such as the bank's name. */
export const settingLengthMax = 200
export const emailLengthMax = 254

/** Maximum characters of a password; `PASSWORD_MIN_LENGTH` sets the minimum. */
export const passwordLengthMax = 128

/** Lifetime of an access token. Below 120 s the client would refresh at every tick. */
export const accessTokenLifeSeconds = 3600

/**
 * Lifetime of an administrator's access token. An administrator's session ends after half an hour without a refresh
 * (security.md SE-06); an open page refreshes it.
 */
export const administratorTokenLifeSeconds = 900

/** Time for which an expired token is still accepted, because clocks differ (security.md SE-04). */
export const clockSkewSeconds = 30

/** Maximum bytes of request bodies (security.md IN-03). */
export const bodyBytesMax = 64 * 1024
export const authBodyBytesMax = 8 * 1024
/** Maximum imported expenses of a customer in 24 hours, and in the first 24 hours of an account. */
export const importedPerDayMax = 20_000
export const importedOfNewAccountMax = 10_000
/** Maximum expenses of an import, deposits of a batch, and rows of a file that the page reads. */
export const fileRowsMax = 10_000
/**
 * Maximum characters of the other bank's reference for an imported transaction. OFX allows 255; most references have 20.
 */
export const importReferenceLengthMax = 100
/**
 * Functions of the table API that accept a larger body. Only signed-in callers may send a larger body, and a server reads
 * a limited number of them at once.
 */
export const restLargeBodyFunctions = ['import_transactions', 'create_batch', 'find_customers'] as const
export const restLargeBodyBytesMax = 4 * 1024 * 1024
/** Maximum number of large bodies at once: from all customers, from customers of one network, and from administrators. */
export const restLargeBodiesMax = 8
export const restLargeBodiesPerNetworkMax = 4
export const restStaffLargeBodiesMax = 4
/** Minimum speed of a large body. The server cuts off a slower body when another large body needs its place. */
export const restLargeBodyBytesPerSecondMin = 64 * 1024
/** Maximum time of a large body. After it, the server cuts off the body at any speed when another needs its place. */
export const restLargeBodyKeptSeconds = 2
/**
 * Maximum characters in the rows of an issued statement, and maximum number of statements that a server makes at once: in
 * total and for one network. For each person, a server makes one statement at a time.
 */
export const statementCharactersMax = 4 * 1024 * 1024
export const statementsAtOnceMax = 4
export const statementsPerNetworkMax = 2
export const urlBytesMax = 8 * 1024
export const headersBytesMax = 16 * 1024

/**
 * Maximum bytes of an answer of the database, which also limits the answers of all surfaces (docs/overload.md). The
 * longest legitimate answer is shorter: a statement's page of 5,000 entries with the longest descriptions.
 */
export const answerBytesMax = 8 * 1024 * 1024

/** Maximum filters of one read, at all levels together (security.md IN-03). */
export const restFiltersMax = 30
/** Maximum order terms of one read, at all levels together. */
export const restOrderTermsMax = 5
/**
 * Time budget of a statement for expensive filters (patterns, lists, JSON paths) and for orders without an index.
 * These filters run once for each remaining row, and meanwhile the embedded engine serves no other request.
 */
export const restExpensiveTestsMs = 50
/** Time budget of a statement for to-many embeds: each of a page's 1,000 rows may embed a thousand rows. */
export const restEmbeddedRowsMs = 500
/**
 * Maximum repetitions of one whole column in a select list. More repetitions of a long text would make a page megabytes
 * long.
 */
export const restSameColumnMax = 4
/** Maximum values of an `in` list. */
export const restInListMax = 100
/** Maximum embedded tables of one read, at all levels together. */
export const restEmbedsMax = 2
/** Maximum entries of a select list. Each entry takes two of the 100 arguments of a SQL function. */
export const restColumnsMax = 50
/** Maximum nested levels of `and` and `or`. */
export const restLogicDepthMax = 10

/**
 * Maximum connections to a server, including those of open pages. The server closes further connections at once
 * (security.md DO-01). A server is designed for ten thousand pages.
 */
export const connectionsMax = 20_000

/** Maximum nested levels in a JSON body or a frame, and maximum keys of a row in a body (security.md IN-03). */
export const jsonDepthMax = 20
export const jsonKeysMax = 200

/** Limits of realtime (security.md RT-05). */
export const realtimeHeartbeatMs = 25_000
export const realtimeFrameBytesMax = 64 * 1024
/**
 * The server closes the socket of a longer message. For a message between `realtimeFrameBytesMax` and this length, it
 * refuses only the message.
 */
export const realtimeRefusedFrameBytesMax = 256 * 1024
export const realtimeChannelsPerSocketMax = 20
export const realtimeSocketsPerUserMax = 10
/** Maximum sockets of a server without a channel of a signed-in user. A further socket replaces the oldest. */
export const realtimeAnonymousSocketsMax = 1000
/**
 * Maximum UTF-16 units of a topic, a `join_ref` and a `ref`. The client's binary frames store each length in one byte.
 */
export const realtimeNameLengthMax = 255
/**
 * Maximum length of a join's `postgres_changes` as JSON. The channel keeps this JSON; two lists of a hundred ids fit in
 * it.
 */
export const realtimeWantedChangesLengthMax = 8 * 1024
export const realtimeSubscriptionsPerChannelMax = 20
/** Maximum filter conditions in all channels of a socket. The server checks them for every change of every customer. */
export const realtimeFilterConditionsPerSocketMax = 40
export const realtimeInListMax = 100
/** Maximum messages per second of a socket. The server refuses further messages. */
export const realtimeMessagesPerSecondMax = 50
/**
 * Rates above which the server closes a socket: ten times the maximum of messages, and the bytes of fifty full frames.
 */
export const realtimeFloodMessagesPerSecond = 10 * realtimeMessagesPerSecondMax
export const realtimeFloodBytesPerSecond = realtimeMessagesPerSecondMax * realtimeFrameBytesMax
export const realtimeBufferedBytesMax = 1024 * 1024
export const realtimeJoinWaitMs = 10_000
