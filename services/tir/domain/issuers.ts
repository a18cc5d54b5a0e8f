import { z } from 'zod'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { createEventDecoder, type EventArguments, type EventDecoder } from '#core/ethereum/abi.ts'
import type { IndexedLog } from '#kit/event-index.ts'

/** The contract's enum IssuerType in its order (profile/tir, Types). */
export const issuerTypes = ['NONE', 'ROOT_TAO', 'TAO', 'TI', 'REVOKED'] as const

/**
 * The types for a publication; NONE is not a role and is not used.
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.4
 */
export const publishedIssuerTypes = ['ROOT_TAO', 'TAO', 'TI', 'REVOKED'] as const

/** Their names in responses (profile/tir, Read an accreditation). */
export const shownIssuerTypes = {
  ROOT_TAO: 'RTAO',
  TAO: 'TAO',
  TI: 'TI',
  REVOKED: 'REVOKED',
} as const

const decode = createEventDecoder(trustedIssuersRegistryAbi)

/** Decodes an event of the contract, with the accreditation in it as text. */
export const decodeTirEvent: EventDecoder = (log) => {
  const event = decode(log)
  if (event === undefined) return undefined
  const { issuerType, data, ...args } = event.args
  return {
    name: event.name,
    args: {
      ...args,
      ...(issuerType === undefined ? {} : { issuerType: issuerTypes[Number(issuerType)] ?? '' }),
      ...(data === undefined ? {} : { data: textOf(String(data)) }),
    },
  }
}

function textOf(hex: string): string {
  return new TextDecoder().decode(Buffer.from(hex.slice(2), 'hex'))
}

/** An attribute with its position below the accrediting one. */
export interface IssuerNode {
  readonly did: string
  /** 64 hex digits without 0x. */
  readonly attributeId: string
  /** The current type in responses. */
  readonly issuerType: string
  /** The type at its publication. */
  readonly publishedAs: string
  readonly tao: string
  readonly attributeIdTao: string
  /** 0 for a root. */
  readonly depth: number
  readonly revisions: number
  readonly published: IndexedLog
  readonly revoked: IndexedLog | undefined
}

type Attribute = { -readonly [Key in keyof IssuerNode]: IssuerNode[Key] }

/**
 * Creates the tree of all attributes from the contract's events: depth first, each below the
 * accrediting attribute, siblings in the order of their publication. An attribute whose parent is
 * not in the events is at the top.
 */
export function createIssuerTree(logs: readonly IndexedLog[]): readonly IssuerNode[] {
  const attributes = collect(logs)
  const parentOf = ({ publishedAs, tao, attributeIdTao }: Attribute) => {
    const parent = keyOf(tao, attributeIdTao)
    // Ignores the parent in a root's publication: two roots might name each other.
    const isRoot = publishedAs === shownIssuerTypes.ROOT_TAO || !attributes.has(parent)
    return isRoot ? 'top' : parent
  }
  const children = Map.groupBy(attributes.values(), parentOf)
  const tree: IssuerNode[] = []
  // An explicit stack: a chain of accreditations may be longer than the call stack is deep.
  const open = (children.get('top') ?? []).reverse()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    tree.push(node)
    for (const child of (children.get(keyOf(node.did, node.attributeId)) ?? []).reverse()) {
      child.depth = node.depth + 1
      open.push(child)
    }
  }
  return tree
}

function keyOf(did: string, attributeId: string): string {
  return `${did} ${attributeId}`
}

function collect(logs: readonly IndexedLog[]): ReadonlyMap<string, Attribute> {
  const attributes = new Map<string, Attribute>()
  for (const log of logs) {
    const event = decodeTirEvent(log)
    if (event === undefined) continue
    const { did, attributeId } = attributeOf(event.args)
    const key = keyOf(did, attributeId)
    const known = attributes.get(key)
    if (event.name === 'AttributeDataSet') {
      if (known !== undefined) known.revisions++
    } else if (event.name === 'AttributeMetadataSet') {
      if (event.args.issuerType !== 'REVOKED') attributes.set(key, published(event.args, log))
      else if (known !== undefined) {
        known.issuerType = shownIssuerTypes.REVOKED
        known.revoked = log
      }
    }
  }
  return attributes
}

function attributeOf(args: EventArguments) {
  return { did: String(args.did), attributeId: String(args.attributeId).slice(2) }
}

function published(args: EventArguments, log: IndexedLog): Attribute {
  const issuerType = String(args.issuerType)
  const shown = shownIssuerTypes[issuerType as keyof typeof shownIssuerTypes] ?? issuerType
  return {
    ...attributeOf(args),
    issuerType: shown,
    publishedAs: shown,
    tao: String(args.taoDid),
    attributeIdTao: String(args.attributeIdTao).slice(2),
    depth: 0,
    revisions: 0,
    published: log,
    revoked: undefined,
  }
}

/** An attribute in the tree of trusted issuers, for the explorer. */
export const zIssuerNode = z.object({
  did: z.string(),
  attributeId: z.string().describe('Without 0x'),
  issuerType: z.string().describe('Current type: RTAO, TAO, TI or REVOKED'),
  publishedAs: z.string().describe('Type at its publication: RTAO, TAO or TI'),
  tao: z.string().describe('DID of the accrediting organization'),
  attributeIdTao: z.string().describe("That DID's own attribute, without 0x"),
  depth: z.int().describe('Distance from the root'),
  revisions: z.int().describe('Number of revisions of its accreditation'),
  publishedAt: z.int().describe('Unix seconds'),
  publicationHash: z.string().describe('Hash of the transaction'),
  revokedAt: z.int().nullable().describe('Unix seconds'),
  revocationHash: z.string().nullable().describe('Hash of the transaction'),
})

export type IssuerNodeJson = z.infer<typeof zIssuerNode>
