import { z } from 'zod'
import { defaultCredentialType, inheritedTypes } from './z-lear-credential.ts'

const secondsAYear = 365 * 86_400

/**
 * A credential type as issuers and Connectors are configured with it: one file of these serves both.
 *
 * @assumption A-26
 */
export const zCredentialType = z
  .strictObject({
    vcType: z.string().min(1).max(256).describe('Name of the type, its id in the metadata'),
    inheritedTypes: z
      .array(z.string().min(1).max(256))
      .default([...inheritedTypes])
      .describe('The types above it, outermost first, from VerifiableCredential on'),
    connectorProfile: z
      .string()
      .min(1)
      .default('default')
      .describe('Name of the Connector profile through which it is issued'),
    validitySeconds: z
      .int()
      .positive()
      .default(secondsAYear)
      .describe('Lifetime of its credentials'),
    schema: z
      .looseObject({})
      .optional()
      .describe("JSON Schema 2020-12 of its credentials; default: the LEAR credential's"),
  })
  .refine(({ inheritedTypes: [outermost] }) => outermost === 'VerifiableCredential', {
    path: ['inheritedTypes', 0],
    message: 'the chain begins with VerifiableCredential',
  })
  .refine(
    ({ vcType, inheritedTypes: chain }) => new Set([...chain, vcType]).size === chain.length + 1,
    { path: ['inheritedTypes'], message: 'a type stands in the chain once, its own name last' },
  )

/** The credential types of a deployment, each under a name of its own. */
export const zCredentialTypes = z
  .array(zCredentialType)
  .min(1)
  .superRefine((types, { addIssue }) => {
    types.forEach(({ vcType }, index) => {
      if (types.findIndex((other) => other.vcType === vcType) < index) {
        addIssue({ code: 'custom', path: [index, 'vcType'], message: 'this type is there already' })
      }
    })
  })

export type CredentialType = z.infer<typeof zCredentialType>

/** The one type of a deployment that configures none. */
export const defaultCredentialTypes: readonly [z.input<typeof zCredentialType>] = [
  { vcType: defaultCredentialType },
]
