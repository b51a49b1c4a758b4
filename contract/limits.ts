/**
 * The limits of the page and of the server. Every name includes the unit. The values come from docs/specification.md
 * §9, unless a comment names another source.
 */
import type { TextLengthMax } from './database-types.ts'

/** Maximum number of rows in the dashboard's list of latest transactions. */
export const dashboardTransactionsMax = 5

/** Delay between the entrance animations of consecutive rows (docs/specification.md §2). */
export const rowStaggerSeconds = 0.05

/** Maximum number of rows in one answer of the table API. Hosted Supabase projects have the same default. */
export const restRowsMax = 1000
/**
 * Maximum number of rows in one write through the table API. `import_transactions`, `create_batch` and
 * `create_customers` accept more rows.
 */
export const restWriteRowsMax = 500

/** Lowest balance, in whole units of the currency, that may remain after an expense recorded by the customer. */
export const ownBalanceMin = -1_000_000_000_000

/** Maximum lengths of text fields, in code points (security.md IN-05). The compiler compares them with the database. */
export const descriptionLengthMax: TextLengthMax['transactions']['description'] = 200
export const categoryLengthMax: TextLengthMax['transactions']['category'] = 50
/** Maximum length of a transfer's description (`concept`), which the payer writes for the payee. */
export const conceptLengthMax: TextLengthMax['requests']['description'] = 140
export const fullNameLengthMax: TextLengthMax['profiles']['full_name'] = 120
/** Maximum number of characters in a name on a statement. Without a limit, a name could contain whole sentences. */
export const statementNameLengthMax = 60
/** Maximum number of characters in a one-line setting, such as the bank's name. */
export const settingLengthMax = 200
export const emailLengthMax = 254

/** Maximum number of characters in a password. `PASSWORD_MIN_LENGTH` sets the minimum. */
export const passwordLengthMax = 128

/**
 * Lifetime of an access token. If this lifetime were below 120 s, the client would refresh the token at every tick of
 * its timer.
 */
export const accessTokenLifeSeconds = 3600

/**
 * Lifetime of an administrator's access token. An administrator's session ends after half an hour without a refresh
 * (security.md SE-06). An open page refreshes its session more often than every half hour.
 */
export const administratorTokenLifeSeconds = 900

/** Time for which a token is still accepted after it has expired, because clocks differ (security.md SE-04). */
export const clockSkewSeconds = 30

/** Maximum sizes of request bodies, in bytes (security.md IN-03). */
export const bodyBytesMax = 64 * 1024
export const authBodyBytesMax = 8 * 1024
/**
 * Maximum number of expenses that a customer can import within 24 hours. `importedOfNewAccountMax` applies in the first
 * 24 hours after the account was opened.
 */
export const importedPerDayMax = 20_000
export const importedOfNewAccountMax = 10_000
/** Maximum number of expenses in an import, of deposits in a batch, and of rows in a file that the page reads. */
export const fileRowsMax = 10_000
/**
 * Maximum number of characters in the reference that another bank gave to an imported transaction. OFX allows 255
 * characters, but most references have about 20 characters.
 */
export const importReferenceLengthMax: TextLengthMax['import_lines']['reference'] = 100
/**
 * Database functions that accept a larger request body. Only signed-in callers may send a larger body, and the server
 * reads only a limited number of larger bodies at the same time.
 */
export const restLargeBodyFunctions = [
  'import_transactions',
  'create_batch',
  'create_customers',
  'find_customers',
] as const
export const restLargeBodyBytesMax = 4 * 1024 * 1024
/**
 * Maximum numbers of large bodies that are read at the same time: from all customers, from customers in one network,
 * and from administrators.
 */
export const restLargeBodiesMax = 8
export const restLargeBodiesPerNetworkMax = 4
export const restStaffLargeBodiesMax = 4
/**
 * Minimum transfer speed of a large body. The server cuts off a slower body when another large body is waiting for a
 * slot.
 */
export const restLargeBodyBytesPerSecondMin = 64 * 1024
/**
 * Time that a large body may take. After this time, the server cuts off even a fast body when another large body is
 * waiting for a slot.
 */
export const restLargeBodyKeptSeconds = 2
/**
 * Limits of a server that issues statements. The limits cover the number of characters in the rows of one statement,
 * and the number of statements that are issued at the same time, in total and for one network. For each user, a server
 * issues only one statement at a time.
 */
export const statementCharactersMax = 4 * 1024 * 1024
/** Maximum number of transactions of a statement in PDF. A longer statement is issued only as CSV. */
export const pdfRowsMax = 10_000
export const statementsAtOnceMax = 4
export const statementsPerNetworkMax = 2
export const urlBytesMax = 8 * 1024
export const headersBytesMax = 16 * 1024

/**
 * Maximum size of an answer from the database, which also limits the answers of all surfaces (docs/overload.md). The
 * longest legitimate answer, a statement page with 5,000 entries and the longest descriptions, is below this limit.
 */
export const answerBytesMax = 8 * 1024 * 1024

/** Maximum number of filters in one read, counted over all embedding levels (security.md IN-03). */
export const restFiltersMax = 30
/** Maximum number of order terms in one read, counted over all embedding levels. */
export const restOrderTermsMax = 5
/**
 * Time that one statement may spend on expensive filters (patterns, lists, JSON paths) and on sorting without an index.
 * Each expensive filter runs once for each row that passes the other filters. Meanwhile, the embedded engine cannot
 * serve other requests.
 */
export const restExpensiveTestsMs = 50
/**
 * Time that one statement may spend on embedding to-many relationships, through which each of a page's 1,000 rows can
 * embed 1,000 other rows.
 */
export const restEmbeddedRowsMs = 500
/**
 * Maximum number of times that a select list may name the same whole column. Repeating a long text more often would
 * make a page several megabytes long.
 */
export const restSameColumnMax = 4
/** Maximum number of values in an `in` list. */
export const restInListMax = 100
/** Maximum number of embedded tables in one read, counted over all embedding levels. */
export const restEmbedsMax = 2
/**
 * Maximum number of entries in a select list. Each entry uses two arguments of a SQL function, which can have at most
 * 100.
 */
export const restColumnsMax = 50
/** Maximum nesting depth of `and` and `or`. */
export const restLogicDepthMax = 10

/**
 * Maximum number of connections to a server, including the sockets of open pages. The server immediately closes any
 * further connection (security.md DO-01). A server is designed for ten thousand open pages.
 */
export const connectionsMax = 20_000

/**
 * Maximum nesting depth of a JSON body or frame, and maximum number of keys in one row of a body (security.md IN-03).
 */
export const jsonDepthMax = 20
export const jsonKeysMax = 200

/** Limits of the realtime surface (security.md RT-05). */
export const realtimeHeartbeatMs = 25_000
export const realtimeFrameBytesMax = 64 * 1024
/**
 * The server refuses a message that is longer than `realtimeFrameBytesMax`, and closes the socket if the message is
 * also longer than `realtimeRefusedFrameBytesMax`.
 */
export const realtimeRefusedFrameBytesMax = 256 * 1024
export const realtimeChannelsPerSocketMax = 20
export const realtimeSocketsPerUserMax = 10
/**
 * Maximum number of anonymous sockets on a server. A socket is anonymous while none of its channels has a signed-in
 * user. When another anonymous socket opens, the server closes the oldest anonymous socket.
 */
export const realtimeAnonymousSocketsMax = 1000
/**
 * Maximum length of a topic, a `join_ref` or a `ref`, in UTF-16 code units. The client's binary frames store each of
 * these lengths in one byte.
 */
export const realtimeNameLengthMax = 255
/**
 * Maximum length of the JSON text of `postgres_changes` in a join. The channel stores this text, and two lists of a
 * hundred ids fit in it.
 */
export const realtimeWantedChangesLengthMax = 8 * 1024
export const realtimeSubscriptionsPerChannelMax = 20
/**
 * Maximum number of filter conditions in all channels of a socket together. The server checks each condition for every
 * change of every customer.
 */
export const realtimeFilterConditionsPerSocketMax = 40
export const realtimeInListMax = 100
/** Maximum number of messages that a socket may send per second. The server refuses further messages. */
export const realtimeMessagesPerSecondMax = 50
/**
 * Rates above which the server closes a socket: ten times the allowed number of messages per second, or more bytes per
 * second than fifty frames of the maximum length.
 */
export const realtimeFloodMessagesPerSecond = 10 * realtimeMessagesPerSecondMax
export const realtimeFloodBytesPerSecond = realtimeMessagesPerSecondMax * realtimeFrameBytesMax
export const realtimeBufferedBytesMax = 1024 * 1024
export const realtimeJoinWaitMs = 10_000
