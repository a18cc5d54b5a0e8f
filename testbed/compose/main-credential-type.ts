import { defaultCredentialType } from '#core/lear-credential/z-lear-credential.ts'
import type { EnvironmentContext } from './environment-context.ts'

/**
 * What representatives and employees get and sign in with: the usual type, or the first one where
 * that is not issued.
 */
export function mainCredentialTypeOf({ issuance }: Pick<EnvironmentContext, 'issuance'>): string {
  const { credentialTypes: types = [] } = issuance
  const isUsual = types.some(({ vcType }) => vcType === defaultCredentialType)
  return isUsual ? defaultCredentialType : (types[0]?.vcType ?? defaultCredentialType)
}
