import { z } from 'zod'
import { parseDidOrg } from '#core/did/did-org.ts'
import { zTirAttribute } from '#core/trust/tir-attribute.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { exampleAttribute } from '../domain/examples.ts'
import { shownIssuerTypes } from '../domain/issuers.ts'
import { notPublished, refuseInput, restErrors } from '../errors.ts'

/** The path parameters of an attribute (profile/tir, Endpoints). */
export const attributeParams = z.object({
  did: z.string().describe('The subject').meta({ example: exampleAttribute.did }),
  attributeId: z
    .string()
    .regex(/^[0-9a-fA-F]+$/, 'must be hexadecimal, without 0x')
    .describe('Identifier of the attribute, without 0x')
    .meta({ example: exampleAttribute.attribute.hash }),
})

/**
 * Reads an accreditation (profile/tir, Read an accreditation).
 *
 * @assumption A-14 body of the errors
 * @assumption A-16 the latest revision, even after REVOKED, with attributeIdTao
 * @row 2.endpoints/tir.2 2.endpoints/tir.17 2.resources-and-their-fields/tir-attribute.1..6 2.errors/tir.6..7
 */
export const readAttribute = defineRoute<Dependencies>()({
  method: 'get',
  path: '/trusted-issuers-registry/v1/issuers/:did/attributes/:attributeId',
  summary: 'Read an accreditation',
  tags: ['Reading'],
  auth: 'none',
  cacheable: true,
  crossOrigin: true,
  request: { params: attributeParams },
  responses: {
    200: { description: 'The accreditation', body: zTirAttribute, example: exampleAttribute },
  },
  errors: restErrors,
  invalidInput: refuseInput,
  async handle({ params }, { contract }) {
    const { did } = params
    const attributeId = params.attributeId.toLowerCase()
    const attribute =
      parseDidOrg(did) === undefined || attributeId.length !== 64
        ? undefined
        : await contract.getAttribute(did, attributeId)
    if (attribute === undefined) throw notPublished()
    return {
      status: 200,
      body: {
        did,
        attribute: {
          body: attribute.body,
          hash: attributeId,
          issuerType: shownIssuerTypes[attribute.issuerType],
          rootTao: attribute.rootTaoDid,
          tao: attribute.taoDid,
          attributeIdTao: attribute.attributeIdTao,
        },
      },
    }
  },
})
