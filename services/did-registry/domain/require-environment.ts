import { type DidEnvironment, didPrefixes, parseDidOrg } from '#core/did/did-org.ts'
import { validationError } from '../errors.ts'

/**
 * Refuses a DID that is malformed, or of the other environment (Document 2, Types used in the TIR).
 * @throws TestbedError `validation_error`
 */
export function requireEnvironment(did: string, environment: DidEnvironment, member: string): void {
  if (parseDidOrg(did)?.environment === environment) return
  throw validationError(
    `${member}: must be ${didPrefixes[environment]} followed by a base58 identifier that starts with z.`,
  )
}
