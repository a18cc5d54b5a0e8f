import { z } from 'zod'
import { parseDidOrg } from '#core/did/did-org.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zTirAttribute } from '#core/trust/z-tir-attribute.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { TirDependencies } from '../dependencies.ts'
import { exampleAttribute } from '../domain/examples.ts'
import { shownIssuerTypes } from '../domain/issuer-types.ts'
import { restErrors } from '../errors.ts'

/**
 * Reads an accreditation (Document 2, REST read).
 *
 * @assumption A-14 body of the errors
 * @assumption A-16 the latest revision, also after REVOKED, with attributeIdTao
 */
export const readAttribute = defineRoute<TirDependencies>()({
  method: 'get',
  path: '/trusted-issuers-registry/v1/issuers/:did/attributes/:attributeId',
  summary: 'Read an accreditation',
  tags: ['Reading'],
  auth: 'none',
  request: {
    params: z.object({
      did: z.string().describe('The subject').meta({ example: exampleAttribute.did }),
      attributeId: z
        .string()
        .regex(/^[0-9a-fA-F]+$/, 'must be hexadecimal, without 0x')
        .describe('Identifier of the attribute, without 0x')
        .meta({ example: exampleAttribute.attribute.hash }),
    }),
  },
  responses: {
    200: { description: 'The accreditation', body: zTirAttribute, example: exampleAttribute },
  },
  errors: restErrors,
  invalidInput: (problems) =>
    new TestbedError({
      code: 'validation_error',
      status: 400,
      message: problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
    }),
  async handle({ params }, { contract }) {
    const { did } = params
    const attributeId = params.attributeId.toLowerCase()
    const attribute =
      parseDidOrg(did) === undefined || attributeId.length !== 64
        ? undefined
        : await contract.getAttribute(did, attributeId)
    if (attribute === undefined) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'The registry holds no such attribute of this DID.',
      })
    }
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
