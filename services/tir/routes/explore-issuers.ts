import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageOfList, pageQuery, replyPage } from '#kit/lists.ts'
import type { TirDependencies } from '../dependencies.ts'
import { createIssuerTree } from '../domain/create-issuer-tree.ts'
import { exampleAttribute, exampleHash } from '../domain/examples.ts'
import { zIssuerNode } from '../domain/z-issuer-node.ts'
import { refuseInput, restErrors } from '../errors.ts'

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
      body: pageOf(zIssuerNode),
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
