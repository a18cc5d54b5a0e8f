import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { toHex } from '#core/ethereum/account.ts'
import { defineRoute } from '#kit/define-route.ts'
import { describeLogs, zChainEvent } from '#kit/event-index.ts'
import { pageOf, pageOfList, pageQuery, replyPage } from '#kit/lists.ts'
import type { Dependencies } from '../dependencies.ts'
import { exampleAttribute, exampleHash } from '../domain/examples.ts'
import { createIssuerTree, decodeTirEvent, zIssuerNode } from '../domain/issuers.ts'
import { notPublished, refuseInput, restErrors } from '../errors.ts'
import { attributeParams } from './attributes.ts'

const exampleNode = {
  did: exampleAttribute.did,
  attributeId: exampleAttribute.attribute.hash,
  issuerType: 'TI',
  publishedAs: 'TI',
  tao: exampleAttribute.attribute.tao,
  attributeIdTao: exampleAttribute.attribute.attributeIdTao,
  depth: 1,
  revisions: 1,
  publishedAt: 1_767_225_600,
  publicationHash: exampleHash,
  revokedAt: null,
  revocationHash: null,
}

/** The tree of trusted issuers, depth first: an addition to the profile, for explorers. */
export const exploreIssuers = defineRoute<Dependencies>()({
  method: 'get',
  path: '/trusted-issuers-registry/v1/explorer/issuers',
  summary: 'List the accreditations as a tree',
  description: 'The tree of all attributes, depth first; `depth` is the level of each one.',
  tags: ['Explorer'],
  auth: 'none',
  cacheable: true,
  request: { query: z.object(pageQuery) },
  responses: {
    200: {
      description: 'A page of the tree',
      body: pageOf(zIssuerNode),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleNode] },
    },
  },
  errors: restErrors,
  invalidInput: refuseInput,
  async handle({ query }, { events }) {
    const tree = createIssuerTree(await events.logs())
    const items = await Promise.all(
      pageOfList(tree, query).map(async ({ published, revoked, ...node }) => ({
        ...node,
        publishedAt: await events.timeOf(published),
        publicationHash: published.transactionHash,
        revokedAt: revoked === undefined ? null : await events.timeOf(revoked),
        revocationHash: revoked?.transactionHash ?? null,
      })),
    )
    return replyPage(query, tree.length, items)
  },
})

const exampleEvent = {
  event: 'AttributeMetadataSet',
  args: {
    didHash: '0x454a864d0df4fa28831bb1aed3eac52455526a4df74b911ab2629df1b4ffbc44',
    attributeId: `0x${exampleAttribute.attribute.hash}`,
    did: exampleAttribute.did,
    taoDid: exampleAttribute.attribute.tao,
    attributeIdTao: `0x${exampleAttribute.attribute.attributeIdTao}`,
    issuerType: 'TI',
  },
  blockNumber: 7,
  blockTime: 1_767_225_600,
  transactionHash: exampleHash,
  logIndex: 0,
}

/** The events of an attribute, the publication first: an addition to the profile, for explorers. */
export const exploreAttribute = defineRoute<Dependencies>()({
  method: 'get',
  path: '/trusted-issuers-registry/v1/explorer/issuers/:did/attributes/:attributeId/events',
  summary: 'List the events of an attribute',
  description: 'Publication, revisions of the accreditation, and revocation, oldest first.',
  tags: ['Explorer'],
  auth: 'none',
  cacheable: true,
  request: { params: attributeParams, query: z.object(pageQuery) },
  responses: {
    200: {
      description: 'A page of events',
      body: pageOf(zChainEvent),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleEvent] },
    },
  },
  errors: restErrors,
  invalidInput: refuseInput,
  async handle({ params, query }, { events }) {
    const attributeId = `0x${params.attributeId.toLowerCase()}`
    const ofDid = await events.logsOf(toHex(keccak_256(Buffer.from(params.did))))
    const logs = ofDid.filter(({ topics }) => topics[2] === attributeId)
    if (logs.length === 0) throw notPublished()
    const items = await describeLogs(pageOfList(logs, query), {
      events,
      decode: decodeTirEvent,
    })
    return replyPage(query, logs.length, items)
  },
})
