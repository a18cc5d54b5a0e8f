/** A node of the compiler's syntax tree, as far as it is read here. */
export interface SyntaxNode {
  readonly nodeType: string
  readonly id: number
  readonly [member: string]: unknown
}

/** Names of the functions from which an event or error, by its id in the tree, can come. */
export type Emitters = ReadonlyMap<number, readonly string[]>

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'nodeType' in value

/** All nodes at and below a value. */
function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each)
  if (!isNode(value)) return
  yield value
  for (const member of Object.values(value)) yield* nodesOf(member)
}

/**
 * Follows what the constructor and each external function of a contract calls, with modifiers and
 * libraries, to the events that are emitted and the errors that are reverted with.
 * @param trees the syntax trees of all sources
 * @param contractName the contract that is deployed
 */
export function findEmitters(trees: readonly SyntaxNode[], contractName: string): Emitters {
  const nodes = [...nodesOf(trees)]
  const bodies = new Map(
    nodes
      .filter(({ nodeType }) => /^(Function|Modifier)Definition$/.test(nodeType))
      .map((node) => [node.id, node]),
  )
  const contract = nodes.find(
    ({ nodeType, name }) => nodeType === 'ContractDefinition' && name === contractName,
  )
  const emitters = new Map<number, string[]>()
  for (const entry of nodesOf(contract)) {
    if (entry.nodeType !== 'FunctionDefinition') continue
    const isConstructor = entry.kind === 'constructor'
    if (!isConstructor && entry.visibility !== 'external') continue
    const name = isConstructor ? 'the constructor' : String(entry.name)
    for (const id of reachableFrom(entry, bodies)) {
      emitters.set(id, [...(emitters.get(id) ?? []), name])
    }
  }
  return emitters
}

/** Ids of the events and errors that a function names, or what it calls does. */
function reachableFrom(entry: SyntaxNode, bodies: ReadonlyMap<number, SyntaxNode>): Set<number> {
  const named = new Set<number>()
  const visited = new Set<number>()
  const waiting = [entry]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visited.has(next.id)) continue
    visited.add(next.id)
    for (const node of nodesOf(next)) {
      const call = node.eventCall ?? node.errorCall
      const target =
        isNode(call) && isNode(call.expression) && call.expression.referencedDeclaration
      if (typeof target === 'number') named.add(target)
      const body = bodies.get(Number(node.referencedDeclaration))
      if (body !== undefined) waiting.push(body)
    }
  }
  return named
}
