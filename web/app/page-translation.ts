/**
 * Keeps React working in a page that the browser translates. A translator puts its own nodes in the place of the text
 * nodes that React created. React would then write a new text into a node that is no longer in the page, and would throw
 * an error when it removes this node or inserts another node before it (facebook/react#11538).
 */

/** Text nodes that left the page, and the nodes that stand in their place. */
type Exchange = { parent: Node; texts: readonly Text[]; standIns: readonly Node[]; next: Node | null }

/** The exchange to which a text node or a stand-in belongs. */
const exchanges = new WeakMap<Node, Exchange>()

// oxlint-disable-next-line typescript/unbound-method -- both are called with their node
const { insertBefore, removeChild } = Node.prototype

/**
 * Puts a text node back into its place as soon as its text changes or another node is removed or inserted there. The
 * translator then translates the new text. Every other node that is not where a caller expects it still causes an error.
 */
export function tolerateTranslation(): void {
  const observer = new MutationObserver((records) => notice(records))
  observer.observe(document, { childList: true, subtree: true })

  const notice = (records: readonly MutationRecord[]) => {
    const changed = Map.groupBy(records, ({ type }) => type)
    for (const [parent, changes] of Map.groupBy(changed.get('childList') ?? [], ({ target }) => target))
      for (const text of noteExchanges(parent, changes)) observer.observe(text, { characterData: true })
    for (const { target } of changed.get('characterData') ?? []) putBack(target)
  }
  const expect = (child: Node | null, parent: Node) => {
    if (child === null || child.parentNode === parent) return
    notice(observer.takeRecords())
    putBack(child)
  }

  Node.prototype.removeChild = function removeExpected<Child extends Node>(this: Node, child: Child): Child {
    expect(child, this)
    return removeChild.call(this, child) as Child
  }
  Node.prototype.insertBefore = function insertBeforeExpected<Child extends Node>(
    this: Node,
    node: Child,
    next: Node | null,
  ): Child {
    expect(next, this)
    return insertBefore.call(this, node, next) as Child
  }
}

/** Notes which text nodes of the parent were exchanged, and returns these text nodes. */
function noteExchanges(parent: Node, changes: readonly MutationRecord[]): Text[] {
  const isOfInterest = (node: Node) => node instanceof Text || exchanges.has(node)
  if (!changes.some(({ removedNodes }) => [...removedNodes].some(isOfInterest))) return []
  const before = childrenBefore(parent, changes)
  const known = new Set(before)
  const added = gapsOf([...parent.childNodes], (node) => known.has(node))
  const left: Text[] = []
  for (const [next, removed] of gapsOf(before, (node) => node.parentNode === parent)) {
    const standIns = added.get(next) ?? []
    const texts = removed.filter((node) => node instanceof Text)
    const earlier = new Set(removed.flatMap((node) => exchanges.get(node) ?? []))
    for (const exchange of earlier) {
      const others = exchange.standIns.filter((node) => !removed.includes(node))
      link({ ...exchange, standIns: [...others, ...standIns] })
    }
    if (texts.length === 0) continue
    link({ parent, texts, standIns, next })
    left.push(...texts)
  }
  return left
}

function link(exchange: Exchange): void {
  for (const node of [...exchange.texts, ...exchange.standIns]) exchanges.set(node, exchange)
}

/** Returns the children that the parent had before the changes. */
function childrenBefore(parent: Node, changes: readonly MutationRecord[]): Node[] {
  const children: Node[] = [...parent.childNodes]
  for (const { addedNodes, removedNodes, nextSibling } of changes.toReversed()) {
    const kept = children.filter((node) => ![...addedNodes].includes(node as ChildNode))
    const place = nextSibling === null ? kept.length : kept.indexOf(nextSibling)
    kept.splice(place, 0, ...removedNodes)
    children.splice(0, children.length, ...kept)
  }
  return children
}

/** Returns the runs of nodes that do not stay, by the staying node that follows them. */
function gapsOf(nodes: readonly Node[], stays: (node: Node) => boolean): Map<Node | null, Node[]> {
  const gaps = new Map<Node | null, Node[]>()
  let run: Node[] = []
  for (const node of [...nodes, null]) {
    if (node !== null && !stays(node)) run.push(node)
    else if (run.length > 0) {
      gaps.set(node, run)
      run = []
    }
  }
  return gaps
}

/** Puts the node and the text nodes that left with it back in the place of the nodes that stand there. */
function putBack(node: Node): void {
  const exchange = exchanges.get(node)
  if (exchange === undefined || node.parentNode === exchange.parent) return
  const { parent, texts, standIns, next } = exchange
  const isThere = (one: Node | null) => one?.parentNode === parent
  const place = standIns.find(isThere) ?? (isThere(next) ? next : null)
  for (const text of texts) if (!isThere(text)) insertBefore.call(parent, text, place)
  for (const standIn of standIns) if (isThere(standIn)) removeChild.call(parent, standIn)
  for (const one of [...texts, ...standIns]) exchanges.delete(one)
}
