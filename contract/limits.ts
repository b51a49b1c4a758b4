/** The limits of page and server, with units in their names. Source: docs/specification.md §9 unless said. */

/** Rows of the dashboard's list of latest transactions. */
export const dashboardTransactionsMax = 5

/** Delay between one row's entrance and the next one's (docs/specification.md §2). */
export const rowStaggerSeconds = 0.05

/** Rows that one read of the table API answers at most; a hosted project's default too. */
export const restRowsMax = 1000
/**
 * Rows that one write of the table API touches at most; more go through `import_transactions` and `create_batch`.
 */
export const restWriteRowsMax = 500

/** Units of currency: the balance below which no expense of the customer's own may leave it. */
export const ownBalanceMin = -1_000_000_000_000

/** Characters of text fields, counted in code points (security.md IN-05). */
export const descriptionLengthMax = 200
export const categoryLengthMax = 50
export const fullNameLengthMax = 120
/** Characters of a name that a statement shows; a longer one can be a sentence. */
export const statementNameLengthMax = 60
/** Length of a one-line setting, such as the bank's name. */
export const settingLengthMax = 200
export const emailLengthMax = 254

/** Characters of a password; the least is configuration (`PASSWORD_MIN_LENGTH`). */
export const passwordLengthMax = 128

/** Life of an access token. Below 120 s the client would refresh at every tick. */
export const accessTokenLifeSeconds = 3600

/**
 * The same for an administrator, whose session ends after half an hour without a refresh (security.md SE-06); an open
 * page refreshes.
 */
export const administratorTokenLifeSeconds = 900

/** A token is accepted this long after its expiry, for clocks that differ (security.md SE-04). */
export const clockSkewSeconds = 30

/** Bodies of requests (security.md IN-03). */
export const bodyBytesMax = 64 * 1024
export const authBodyBytesMax = 8 * 1024
/** Expenses of one import, deposits of one batch, and rows of one file that the page reads. */
export const fileRowsMax = 10_000
/** Characters of a bank's own name of a movement that an import keeps (OFX has 255 at most, most have 20). */
export const importReferenceLengthMax = 100
/**
 * Functions of the table API that accept a longer body, from signed-in callers and in a limited number at once on one
 * server.
 */
export const restLargeBodyFunctions = ['import_transactions', 'create_batch', 'find_customers'] as const
export const restLargeBodyBytesMax = 4 * 1024 * 1024
/** Large bodies at once: of all customers, of one network among them, and of administrators. */
export const restLargeBodiesMax = 8
export const restLargeBodiesPerNetworkMax = 4
export const restStaffLargeBodiesMax = 4
/** A large body that comes more slowly makes room for the next one. */
export const restLargeBodyBytesPerSecondMin = 64 * 1024
/** A large body that is not whole after this time makes room for the next one, at any speed. */
export const restLargeBodyKeptSeconds = 2
/**
 * Characters of the rows of one statement that the bank issues; statements that one server makes at once, and for one network.
 * A person has one at a time.
 */
export const statementCharactersMax = 4 * 1024 * 1024
export const statementsAtOnceMax = 4
export const statementsPerNetworkMax = 2
export const urlBytesMax = 8 * 1024
export const headersBytesMax = 16 * 1024

/**
 * Bytes of one answer of the database, so of any answer of a surface (docs/overload.md). The longest honest one, a page of
 * 5,000 entries of a statement with the longest words, has fewer.
 */
export const answerBytesMax = 8 * 1024 * 1024

/** Filters, order terms, values of an `in` list and embedded tables of one read, at all levels together (security.md IN-03). */
export const restFiltersMax = 30
export const restOrderTermsMax = 5
/**
 * Time budget of one statement for expensive filters (patterns, lists, JSON paths) and for orders that no index has.
 * Conditions run once for each remaining row, and meanwhile the embedded engine serves no other request.
 */
export const restExpensiveTestsMs = 50
/** The same for rows that are embedded many in one: a page of 1,000 rows may have a thousand in each. */
export const restEmbeddedRowsMs = 500
/** Most repetitions of one whole column in a select list; more would make a page of long texts megabytes long. */
export const restSameColumnMax = 4
export const restInListMax = 100
export const restEmbedsMax = 2
/** Entries of a select list (a SQL function takes 100 arguments, a key and a value each), and levels of `and`/`or`. */
export const restColumnsMax = 50
export const restLogicDepthMax = 10

/**
 * Connections to one server at a time, of open pages and of requests; the server closes the next one at once
 * (security.md DO-01). Ten thousand pages are what one server is for.
 */
export const connectionsMax = 20_000

/** Levels of arrays and objects in a JSON body or a frame, and keys of one row of a body (security.md IN-03). */
export const jsonDepthMax = 20
export const jsonKeysMax = 200

/** Realtime (security.md RT-05). */
export const realtimeHeartbeatMs = 25_000
export const realtimeFrameBytesMax = 64 * 1024
/** A longer message is refused by itself up to this length, beyond which nothing of it is kept and its socket closes. */
export const realtimeRefusedFrameBytesMax = 256 * 1024
export const realtimeChannelsPerSocketMax = 20
export const realtimeSocketsPerUserMax = 10
/** Sockets of one server with no channel of a signed-in user; the oldest makes room for the next. */
export const realtimeAnonymousSocketsMax = 1000
/** A topic, a `join_ref` and a `ref`, in UTF-16 units: the binary frames of the client have no room for more. */
export const realtimeNameLengthMax = 255
/** The `postgres_changes` of one join as JSON: two lists of a hundred ids fit. A channel keeps what they name. */
export const realtimeWantedChangesLengthMax = 8 * 1024
export const realtimeSubscriptionsPerChannelMax = 20
/** Conditions of all channels of a socket together: the server matches every change of every customer against them. */
export const realtimeFilterConditionsPerSocketMax = 40
export const realtimeInListMax = 100
/** Messages of a socket that are obeyed; of those beyond them each is refused. */
export const realtimeMessagesPerSecondMax = 50
/** A socket that sends more in a second closes: ten times the messages, and bytes as fifty of the longest frames. */
export const realtimeFloodMessagesPerSecond = 10 * realtimeMessagesPerSecondMax
export const realtimeFloodBytesPerSecond = realtimeMessagesPerSecondMax * realtimeFrameBytesMax
export const realtimeBufferedBytesMax = 1024 * 1024
export const realtimeJoinWaitMs = 10_000
