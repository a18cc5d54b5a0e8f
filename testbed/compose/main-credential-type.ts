import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/lear-credential.ts'
import type { EnvironmentContext } from './environment-context.ts'

const usualType = { vcType: defaultCredentialType, inheritedTypes: [...inheritedTypes] }

/**
 * What representatives and employees get and sign in with: the usual type, or the first one where
 * that is not issued.
 */
export function mainCredentialTypeOf({
  issuance: { credentialTypes: types = [] },
}: Pick<EnvironmentContext, 'issuance'>): Pick<CredentialType, 'vcType' | 'inheritedTypes'> {
  return types.find(({ vcType }) => vcType === defaultCredentialType) ?? types[0] ?? usualType
}
