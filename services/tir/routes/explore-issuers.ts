import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageOfList, pageQuery, replyPage } from '#kit/page-query.ts'
import type { TirDependencies } from '../dependencies.ts'
import { createIssuerTree } from '../domain/create-issuer-tree.ts'
import { exampleAttribute, exampleHash } from '../domain/examples.ts'
import { refuseInput, restErrors } from '../errors.ts'

const zNode = z.object({
  did: z.string(),
  attributeId: z.string().describe('Without 0x'),
  issuerType: z.string().describe('Now: RTAO, TAO, TI or REVOKED'),
  publishedAs: z.string().describe('At its publication: RTAO, TAO or TI'),
  tao: z.string().describe('DID that accredits it'),
  attributeIdTao: z.string().describe("That DID's own attribute, without 0x"),
  depth: z.int().describe('Distance from the root'),
  revisions: z.int().describe('How often its accreditation was set'),
  publishedAt: z.int().describe('Unix seconds'),
  publicationHash: z.string().describe('Hash of the transaction'),
  revokedAt: z.int().nullable().describe('Unix seconds'),
  revocationHash: z.string().nullable().describe('Hash of the transaction'),
})

const example = {
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

/** The tree of trusted issuers, depth first: beyond document 2, for explorers. */
export const exploreIssuers = defineRoute<TirDependencies>()({
  method: 'get',
  path: '/trusted-issuers-registry/v1/explorer/issuers',
  summary: 'List who was accredited by whom',
  description: 'The tree of all attributes, depth first; `depth` is the place of each in it.',
  tags: ['Explorer'],
  auth: 'none',
  request: { query: z.object(pageQuery) },
  responses: {
    200: {
      description: 'A page of the tree',
      body: pageOf(zNode),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [example] },
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
