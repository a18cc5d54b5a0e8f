import type { Service } from '#kit/runtime.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import { type EnvironmentContext, tirBaseUrlOf } from './environment-context.ts'

/** The verification service behind the IDP, with a registered DID of its own. */
export function composeVerifier(context: EnvironmentContext): Promise<Service> {
  const { keys, urls, localUrls, environment } = context
  const { credentialTypes, holderSuites } = context.issuance
  return createVerifierService(
    {
      environment,
      baseUrl: urls.verifier,
      databaseUrl: context.databaseUrl('verifier'),
      apiKeys: [context.secret('api-key/verifier')],
      idpUrl: localUrls.idp,
      idpApiKey: context.secret('api-key/idp'),
      didRegistryBaseUrl: localUrls['did-registry'],
      tirBaseUrl: tirBaseUrlOf(context),
      rootDids: [keys.rootTao.did],
      ...(credentialTypes && { credentialTypes: [...credentialTypes] }),
      ...(holderSuites && { holderSuites: [...holderSuites] }),
      credentialIssuerUrls: [urls.issuer],
      internalUrls: { [urls.tir]: localUrls.tir, [urls.issuer]: localUrls.issuer },
      verifierDid: keys.verifier.did,
      verifierPrivateKey: keys.verifier.privateKey,
      verifierVMethodId: keys.verifier.vMethodId,
      ...context.settings.verifier,
    },
    context.runtime,
  )
}
