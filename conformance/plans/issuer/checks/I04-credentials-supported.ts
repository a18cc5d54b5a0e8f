import { z } from 'zod'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import {
  cryptographicBindingMethods,
  jwtVcJson,
  verifiableCredentialType,
} from '#core/oid4vci/issuer-metadata.ts'
import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { readMetadata } from '../metadata.ts'

/** A list with at least one of the documented names. */
const zListWith = (known: readonly string[]) =>
  z
    .array(z.string())
    .refine((names) => names.some((name) => known.includes(name)), `contains none of ${known}`)

/** The lists whose documented names wallets may all use. */
const documented = {
  cryptographic_binding_methods_supported: cryptographicBindingMethods,
  cryptographic_suites_supported: defaultHolderSuites,
}

const zEntry = z.looseObject({
  format: z.literal(jwtVcJson),
  id: z.string().min(1),
  types: zListWith([verifiableCredentialType]),
  cryptographic_binding_methods_supported: zListWith(cryptographicBindingMethods),
  cryptographic_suites_supported: zListWith(defaultHolderSuites),
})

const zMetadata = z.looseObject({
  credentials_supported: z
    .array(zEntry)
    .min(1)
    .refine(
      (entries) => new Set(entries.map(({ id }) => id)).size === entries.length,
      'has a duplicate id',
    ),
})

export const check = defineCheck<IssuerContext>({
  id: 'I04',
  title: 'Each entry of credentials_supported is complete',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/issuer-metadata.3',
    '1.resources-and-their-fields/supported-curves.4',
  ],
  description:
    'With these members a wallet finds the offered credential and a key that the issuer accepts.',
  sends: 'GET of the metadata.',
  decides:
    'Every entry has the format jwt_vc_json, a unique id, types with VerifiableCredential, and methods and suites among the documented ones. An entry without all four of these is a WARN: I21 to I24 require them.',
  fix: 'Give each entry format jwt_vc_json, a unique id, types with VerifiableCredential, cryptographic_binding_methods_supported with did:key and did:jwk, and cryptographic_suites_supported with ES256K and EdDSA.',
  async run(context) {
    const metadata = await readMetadata(context)
    const result = zMetadata.safeParse(metadata)
    const verdictSource = 'credentials_supported in the metadata'
    if (result.success) {
      const entries = result.data.credentials_supported
      const ids = entries.map(({ id }) => id)
      for (const [name, expected] of Object.entries(documented)) {
        const partial = entries.find((entry) =>
          expected.some((each) => !entry[name as keyof typeof documented].includes(each)),
        )
        if (partial === undefined) continue
        const actual = partial[name as keyof typeof documented]
        const details = { expected, actual, verdictSource, level: 'practice' } as const
        return broken(`${name} of ${partial.id} does not declare all of the profile.`, details)
      }
      return held(`Complete: ${ids.join(', ')}.`, { verdictSource })
    }
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return broken(`Not as documented: ${problems.join('; ')}.`, {
      actual: metadata.credentials_supported,
      verdictSource,
    })
  },
})
