import { z } from 'zod'

/** An attribute in the tree of trusted issuers, as the explorer shows it. */
export const zIssuerNode = z.object({
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

export type IssuerNodeJson = z.infer<typeof zIssuerNode>
