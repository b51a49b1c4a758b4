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
/** Maximum characters of a name that a statement shows; a longer one could be a sentence instead of a name. */
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
/** Maximum characters of another bank's reference of a transaction in an import (OFX allows 255; most have 20). */
export const importReferenceLengthMax = 100
/**
 * Functions of the table API that accept a larger body. Only signed-in callers may send one, and a server reads a limited
 * number at once.
 */
export const restLargeBodyFunctions = ['import_transactions', 'create_batch', 'find_customers'] as const
export const restLargeBodyBytesMax = 4 * 1024 * 1024
/** Maximum large bodies at once: from all customers, from customers of one network, and from administrators. */
export const restLargeBodiesMax = 8
export const restLargeBodiesPerNetworkMax = 4
export const restStaffLargeBodiesMax = 4
/** Minimum speed of a large body: a slower one is cut off when another large body needs its place. */
export const restLargeBodyBytesPerSecondMin = 64 * 1024
/** Maximum time of a large body: one that takes longer, at any speed, is cut off when another needs its place. */
export const restLargeBodyKeptSeconds = 2
/**
 * Maximum characters in the rows of an issued statement, and maximum statements that a server makes at once, in total and for
 * one network. It makes one statement at a time for each person.
 */
export const statementCharactersMax = 4 * 1024 * 1024
export const statementsAtOnceMax = 4
export const statementsPerNetworkMax = 2
export const urlBytesMax = 8 * 1024
export const headersBytesMax = 16 * 1024

/**
 * Maximum bytes of an answer of the database, and thus of any answer of a surface (docs/overload.md). The longest legitimate
 * answer is shorter: a statement's page of 5,000 entries with the longest descriptions.
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
/** Maximum repetitions of one whole column in a select list; more would make a page of long texts megabytes long. */
export const restSameColumnMax = 4
/** Maximum values of an `in` list. */
export const restInListMax = 100
/** Maximum embedded tables of one read, at all levels together. */
export const restEmbedsMax = 2
/** Maximum entries of a select list: each takes two of the 100 arguments of a SQL function. */
export const restColumnsMax = 50
/** Maximum nested levels of `and` and `or`. */
export const restLogicDepthMax = 10

/**
 * Maximum connections to a server, of open pages and of requests; the server closes further ones at once
 * (security.md DO-01). A server is designed for ten thousand pages.
 */
export const connectionsMax = 20_000

/** Maximum levels of arrays and objects in a JSON body or a frame, and keys in a row of a body (security.md IN-03). */
export const jsonDepthMax = 20
export const jsonKeysMax = 200

/** Limits of realtime (security.md RT-05). */
export const realtimeHeartbeatMs = 25_000
export const realtimeFrameBytesMax = 64 * 1024
/** The server refuses a message above `realtimeFrameBytesMax` and keeps its socket. Above this length it closes the socket. */
export const realtimeRefusedFrameBytesMax = 256 * 1024
export const realtimeChannelsPerSocketMax = 20
export const realtimeSocketsPerUserMax = 10
/** Maximum sockets of a server that have no channel of a signed-in user; a new one replaces the oldest. */
export const realtimeAnonymousSocketsMax = 1000
/** Maximum UTF-16 units of a topic, a `join_ref` and a `ref`: the client's binary frames have no room for more. */
export const realtimeNameLengthMax = 255
/** Maximum length of a join's `postgres_changes` as JSON, which a channel keeps. Two lists of a hundred ids fit. */
export const realtimeWantedChangesLengthMax = 8 * 1024
export const realtimeSubscriptionsPerChannelMax = 20
/** Maximum filter conditions of all channels of a socket: the server matches every change of every customer with them. */
export const realtimeFilterConditionsPerSocketMax = 40
export const realtimeInListMax = 100
/** Maximum messages per second of a socket; the server refuses each further one. */
export const realtimeMessagesPerSecondMax = 50
/** The server closes a socket above these rates: ten times the maximum of messages, and the bytes of fifty full frames. */
export const realtimeFloodMessagesPerSecond = 10 * realtimeMessagesPerSecondMax
export const realtimeFloodBytesPerSecond = realtimeMessagesPerSecondMax * realtimeFrameBytesMax
export const realtimeBufferedBytesMax = 1024 * 1024
export const realtimeJoinWaitMs = 10_000
