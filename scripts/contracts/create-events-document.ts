import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { code, table } from '../documentation/markdown.ts'

interface AbiParameter {
  readonly name: string
  readonly type: string
  readonly internalType: string
  readonly indexed?: boolean
}

export interface AbiEntry {
  readonly type: string
  readonly name: string
  readonly inputs: readonly AbiParameter[]
}

/** The compiler output for a contract and its interface, as far as the document shows it. */
export interface DescribedContract {
  readonly name: string
  readonly abi: readonly AbiEntry[]
  readonly notices: Readonly<Record<string, { readonly notice?: string }>>
  readonly parameters: Readonly<
    Record<string, { readonly params?: Readonly<Record<string, string>> }>
  >
}

const keccak = (text: string) => bytesToHex(keccak_256(utf8ToBytes(text)))
const signatureOf = ({ name, inputs }: AbiEntry) =>
  `${name}(${inputs.map(({ type }) => type).join(',')})`

/**
 * The reference of the chain's events and custom errors as Markdown, generated from the ABIs, the
 * NatSpec and the syntax trees.
 */
export function createEventsDocument(
  contracts: readonly DescribedContract[],
  trees: readonly SyntaxNode[],
): string {
  const sections = contracts.flatMap((contract) => sectionsOf(contract, trees))
  return `${[
    '# Events and errors of the contracts',
    '',
    'Generated from `contracts/` by `node scripts/check-contracts.ts --write`. A log names its event by `topics[0]`,',
    'keccak256 of the signature; an indexed argument is in the topic shown next to it, the others are in',
    '`data`. The revert data of a failed transaction begins with the selector of its error, the first',
    'four bytes of keccak256 of the signature. Only the functions next to it can return it.',
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()}\n`
}

function sectionsOf(contract: DescribedContract, trees: readonly SyntaxNode[]): string[] {
  const emitters = findEmitters(trees, contract.name)
  const sources = sourcesByName(trees, emitters)
  const events = contract.abi.filter(({ type }) => type === 'event')
  const errors = contract.abi.filter(({ type }) => type === 'error')
  return [
    `## ${contract.name}`,
    '',
    table(
      ['event', 'topics[0]'],
      events.map(signatureOf).map((signature) => [code(signature), code(`0x${keccak(signature)}`)]),
    ),
    '',
    ...events.flatMap((event) => eventSection(contract, event, sources)),
    `### Errors of ${contract.name}`,
    '',
    table(
      ['error', 'selector', 'meaning', 'from'],
      errors.map((error) => errorRow(contract, error, sources)),
    ),
    '',
    `### Numbers in ${contract.name}`,
    '',
    ...enumerations(contract, trees),
    '',
  ]
}

type Sources = ReadonlyMap<string, readonly string[]>

/** The functions by the name of the event or error: names are unique in the contracts. */
function sourcesByName(
  trees: readonly SyntaxNode[],
  emitters: ReadonlyMap<number, readonly string[]>,
): Sources {
  const definitions = membersOf(trees, /^(Event|Error)Definition$/)
  return new Map(definitions.map(({ id, name }) => [String(name), emitters.get(id) ?? []]))
}

function eventSection(contract: DescribedContract, event: AbiEntry, sources: Sources): string[] {
  const signature = signatureOf(event)
  let topic = 0
  const places = event.inputs.map(({ indexed }) => (indexed ? `topics[${++topic}]` : 'data'))
  const params = contract.parameters[signature]?.params ?? {}
  return [
    `### ${event.name}`,
    '',
    contract.notices[signature]?.notice ?? '',
    '',
    `Emitted by ${listed(sources.get(event.name))}.`,
    '',
    table(
      ['argument', 'type', 'in', 'meaning'],
      event.inputs.map((input, index) => [
        code(input.name),
        typeOf(input),
        places[index] ?? '',
        params[input.name] ?? '',
      ]),
    ),
    '',
  ]
}

function errorRow(contract: DescribedContract, error: AbiEntry, sources: Sources): string[] {
  const signature = signatureOf(error)
  const args = error.inputs.map(({ type, name }) => `${type} ${name}`).join(', ')
  return [
    code(`${error.name}(${args})`),
    code(`0x${keccak(signature).slice(0, 8)}`),
    contract.notices[signature]?.notice ?? '',
    listed(sources.get(error.name)),
  ]
}

/** The enumerations that the events and errors of a contract use, which are numbers on the wire. */
function enumerations(contract: DescribedContract, trees: readonly SyntaxNode[]): string[] {
  const used = new Set(contract.abi.flatMap(({ inputs = [] }) => inputs.map(enumerationOf)))
  return membersOf(trees, /^EnumDefinition$/)
    .filter(({ name }) => used.has(String(name)))
    .map(({ name, members }) => {
      const values = (members as readonly SyntaxNode[]).map(
        (each, index) => `${index} ${each.name}`,
      )
      return `- ${code(String(name))}: ${values.join(', ')}`
    })
}

/** The definitions of one kind inside the contracts and interfaces of all sources. */
const membersOf = (trees: readonly SyntaxNode[], kind: RegExp): SyntaxNode[] =>
  trees
    .flatMap(({ nodes }) => nodes as readonly SyntaxNode[])
    .flatMap(({ nodes }) => (nodes ?? []) as readonly SyntaxNode[])
    .filter(({ nodeType }) => kind.test(nodeType))

const enumerationOf = ({ internalType }: AbiParameter) =>
  /^enum \w+\.(\w+)$/.exec(internalType)?.[1]

const typeOf = (input: AbiParameter) => {
  const enumeration = enumerationOf(input)
  return enumeration === undefined ? input.type : `${input.type} (${enumeration})`
}

const listed = (names: readonly string[] = []) =>
  names.map((name) => (name.includes(' ') ? name : code(name))).join(', ')

/** A node of the compiler's syntax tree, with the members that are read here. */
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
function findEmitters(trees: readonly SyntaxNode[], contractName: string): Emitters {
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
