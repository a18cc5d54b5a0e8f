import { z } from 'zod'
import { credentialsContext, inheritedTypes as learTypes, zMandate } from './z-lear-credential.ts'

export interface CreateCredentialSchemaOptions {
  /** The schema's own address, where it is served. */
  readonly url: string
  /** Name of the credential type. */
  readonly type: string
  /** The types above it, outermost first. Default: those of a LEAR credential. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * The JSON Schema (draft 2020-12) of the `vc` claim of a credential type, for whoever checks
 * credentials without our code. It demands what `createLearCredential` makes; further members are
 * let through, as the data model has it.
 *
 * @see Verifiable Credentials JSON Schema Specification, JsonSchema
 * @assumption A-26 A-27
 */
export function createCredentialSchema({
  url,
  type,
  inheritedTypes = learTypes,
}: CreateCredentialSchemaOptions) {
  const { $schema: _, ...mandate } = z.toJSONSchema(zMandate, { target: 'draft-2020-12' })
  const did = { type: 'string', pattern: '^did:[a-z0-9]+:.+$' }
  const time = { type: 'string', format: 'date-time' }
  const chain = [...inheritedTypes.filter((inherited) => inherited !== type), type]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: url,
    title: type,
    description: `The vc claim of a credential of type ${type}.`,
    type: 'object',
    properties: {
      '@context': {
        type: 'array',
        prefixItems: [{ const: credentialsContext }],
        minItems: 1,
      },
      id: { type: 'string', pattern: '^urn:uuid:[0-9a-f-]{36}$' },
      type: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        allOf: chain.map((name) => ({ contains: { const: name } })),
      },
      issuer: {
        anyOf: [did, { type: 'object', properties: { id: did }, required: ['id'] }],
      },
      validFrom: time,
      validUntil: time,
      credentialSubject: {
        type: 'object',
        properties: { id: did, mandate },
        required: ['id', 'mandate'],
      },
      termsOfUse: {
        type: 'object',
        properties: { id: { type: 'string', format: 'uri' }, type: { type: 'string' } },
        required: ['id', 'type'],
      },
      credentialStatus: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          type: { enum: ['BitstringStatusListEntry', 'StatusList2021Entry'] },
          statusPurpose: { type: 'string' },
          statusListIndex: { type: 'string', pattern: '^[0-9]+$' },
          statusListCredential: { type: 'string', format: 'uri' },
        },
        required: ['type', 'statusPurpose', 'statusListIndex', 'statusListCredential'],
      },
      credentialSchema: {
        type: 'object',
        properties: { id: { const: url }, type: { const: 'JsonSchema' } },
        required: ['id', 'type'],
      },
    },
    required: [
      '@context',
      'id',
      'type',
      'issuer',
      'validFrom',
      'validUntil',
      'credentialSubject',
      'termsOfUse',
    ],
  }
}
