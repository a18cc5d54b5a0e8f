import { z } from 'zod'
import { credentialsContext } from '#core/verification/data-model.ts'
import {
  defaultCredentialType,
  inheritedTypes,
  inheritedTypes as learTypes,
  zMandate,
} from './lear-credential.ts'

const secondsAYear = 365 * 86_400

/**
 * A credential type in the configuration. One file of these serves issuers and connectors.
 *
 * @assumption A-26
 */
const zCredentialType = z
  .strictObject({
    vcType: z.string().min(1).max(256).describe('Name of the type; its id in the metadata'),
    inheritedTypes: z
      .array(z.string().min(1).max(256))
      .default([...inheritedTypes])
      .describe('The types above it, outermost first, beginning with VerifiableCredential'),
    connectorProfile: z
      .string()
      .min(1)
      .default('default')
      .describe('Name of the connector profile that issues it'),
    validitySeconds: z
      .int()
      .positive()
      .default(secondsAYear)
      .describe('Lifetime of its credentials, in seconds'),
    schema: z
      .looseObject({})
      .optional()
      .describe(
        'JSON Schema 2020-12 of its credentials. Default: the schema of the LEAR credential',
      ),
  })
  .refine(({ inheritedTypes: [outermost] }) => outermost === 'VerifiableCredential', {
    path: ['inheritedTypes', 0],
    message: 'the chain must begin with VerifiableCredential',
  })
  .refine(
    ({ vcType, inheritedTypes: chain }) => new Set([...chain, vcType]).size === chain.length + 1,
    {
      path: ['inheritedTypes'],
      message: 'a type must occur once in the chain, with its own name last',
    },
  )

/** The credential types of a deployment, each with a separate name. */
export const zCredentialTypes = z
  .array(zCredentialType)
  .min(1)
  .superRefine((types, { addIssue }) => {
    types.forEach(({ vcType }, index) => {
      if (types.findIndex((other) => other.vcType === vcType) < index) {
        addIssue({
          code: 'custom',
          path: [index, 'vcType'],
          message: 'this type is already defined',
        })
      }
    })
  })

export type CredentialType = z.infer<typeof zCredentialType>

/** The type of a deployment that does not configure any. */
export const defaultCredentialTypes: readonly [z.input<typeof zCredentialType>] = [
  { vcType: defaultCredentialType },
]

export interface CreateCredentialSchemaOptions {
  /** The schema's own address, where it is served. */
  readonly url: string
  /** Name of the credential type. */
  readonly type: string
  /** The types above it, outermost first. Default: those of a LEAR credential. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * The JSON Schema (draft 2020-12) of the `vc` claim of a credential type, for parties that check
 * credentials without this code. It requires the members that `createLearCredential` writes and
 * allows further members, as the data model does.
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
